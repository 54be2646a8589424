"""Word vectors in files: readers of each format, and their vocabularies."""
