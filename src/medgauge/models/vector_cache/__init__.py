"""Vectors of encoders and services, kept so that each term is encoded once."""
