"""Reliability of ratings with gaps, from variance components."""
