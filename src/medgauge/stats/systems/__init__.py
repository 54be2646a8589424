"""How well systems do against the gold, and which differences are real."""
