"""Levenshtein distances of many terms at once, compiled."""
