"""Concepts of one code system as those of another: by a UMLS release or its service, SSSOM, or xrefs."""
