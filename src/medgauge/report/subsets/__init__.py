"""How the figures on subsets of pairs are shown, as a part of a run."""
