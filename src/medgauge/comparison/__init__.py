"""Which differences between systems are significant, from a run's stored scores."""
