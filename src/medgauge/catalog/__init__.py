"""The published sets, and the reading of any set by name or path."""
