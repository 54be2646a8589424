"""Intervals of agreement: over pairs, and over raters."""
