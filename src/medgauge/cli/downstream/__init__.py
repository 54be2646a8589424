"""The commands that train vectors, use them, and ask which benchmark predicts."""
