"""Texts as the pieces of a tokenizer, split here or in a process of its own."""
