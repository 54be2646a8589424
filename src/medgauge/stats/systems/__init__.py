"""How well systems agree with the gold, and which differences are significant."""
