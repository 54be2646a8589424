"""From text to a corpus of tokens on disk, and from a corpus to a table of its words."""
