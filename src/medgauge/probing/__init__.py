"""Probing models for what they were trained on: how well they know old and new concepts of a terminology."""
