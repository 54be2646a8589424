"""Grids of texts, laid out to fit, and written in each format."""
