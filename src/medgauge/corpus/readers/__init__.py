"""Readers of the forms that text comes in."""
