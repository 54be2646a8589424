"""Experts' ratings: read from any table, how far they can be trusted, and the gold standard made of them."""
