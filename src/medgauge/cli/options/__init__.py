"""Options that several commands share, and what parses them."""
