"""How entity recognition is shown."""
