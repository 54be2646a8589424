"""Annotation studies: from a design to ratings."""
