"""The commands about models: what they are, their vectors, and their cache."""
