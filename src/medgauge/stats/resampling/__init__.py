"""The bootstrap and the jackknife, and their intervals."""
