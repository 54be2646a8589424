"""Ratings out of a study, and in from elsewhere."""
