"""Corpora of labelled tokens: their files, the entities in them, and what of these was found."""
