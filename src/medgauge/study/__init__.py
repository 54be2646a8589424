"""Studies of which benchmark predicts: vectors trained, evaluated, put to work in NER, and correlated."""
