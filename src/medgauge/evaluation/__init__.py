"""Evaluation: models are scored on sets, and their scores compared with the gold."""
