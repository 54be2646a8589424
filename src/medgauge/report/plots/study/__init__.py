"""The plots of a study and of its schedule."""
