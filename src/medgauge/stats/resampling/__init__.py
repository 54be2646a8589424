"""The bootstrap and the jackknife, and the intervals they give."""
