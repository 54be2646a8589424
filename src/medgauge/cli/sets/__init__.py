"""The commands about sets: which there are, what they cover, and mapping them."""
