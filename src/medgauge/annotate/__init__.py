"""Annotation studies: protocols, assignment, the store, the pages, export."""
