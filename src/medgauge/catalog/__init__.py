"""The published sets, and the loading of any set by name or path."""
