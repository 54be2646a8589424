"""Named-entity recognition: what vectors are worth to a small network that finds entities in text."""
