"""Differences between systems: their tests and variances, corrections, letters and ranks."""
