"""From sources to sets of pairs."""
