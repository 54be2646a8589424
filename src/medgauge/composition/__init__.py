"""What sets of pairs are composed of: terms, concepts, semantic types, scores, and what they share."""
