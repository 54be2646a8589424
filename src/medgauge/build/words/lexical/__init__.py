"""Lexical resources of the user: the SPECIALIST Lexicon, and norms of free association."""
