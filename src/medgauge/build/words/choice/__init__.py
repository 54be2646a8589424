"""From a word table to the words that pairs are made of: filters, forms of one word, domains."""
