"""The commands that evaluate, compare and show."""
