"""The plot of entity recognition."""
