"""Word vectors from text: skip-gram and its relatives, trained on a corpus that streams from disk."""
