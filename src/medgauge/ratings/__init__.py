"""Experts' ratings: reading them from any table, their agreement, and gold standards made from them."""
