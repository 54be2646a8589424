"""The pages of a study: those of annotators and of the coordinator, and what guards them."""
