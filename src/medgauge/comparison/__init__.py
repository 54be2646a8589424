"""Which differences between systems are real, out of a run's stored scores."""
