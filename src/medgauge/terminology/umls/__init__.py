"""The UMLS Metathesaurus and Semantic Network, as files of the user's own licensed release."""
