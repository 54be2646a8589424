"""The web pages of a study for annotators and the coordinator, and what protects them."""
