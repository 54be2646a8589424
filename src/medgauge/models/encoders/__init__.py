"""Encoders: models that compute the vector of a term, or of each of its words, from the term's text."""
