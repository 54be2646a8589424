"""What the coordinator sees of a study that is being rated."""
