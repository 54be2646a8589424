"""Recurrent networks over the characters of a term: ELMo and Flair."""
