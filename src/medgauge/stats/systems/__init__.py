"""How well systems agree with the gold."""
