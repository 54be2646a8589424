"""The commands that build corpora and benchmarks."""
