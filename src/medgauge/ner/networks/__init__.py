"""The window network: its settings, its training side by side, and how labels are decoded."""
