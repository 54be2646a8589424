"""Results as tables that can stand in a paper; nothing is computed here."""
