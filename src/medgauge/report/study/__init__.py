"""A study of which benchmark predicts: its result, the pages of its report, and its schedule."""
