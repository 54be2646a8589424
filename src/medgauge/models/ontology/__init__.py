"""Ontologies as models: how close two concepts are in the is-a hierarchy of a terminology."""
