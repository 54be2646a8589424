"""From words to pairs: what links them, candidates for experts, and quarters."""
