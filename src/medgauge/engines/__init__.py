"""Engines that compute on tables larger than memory: DuckDB on this machine, or a database."""
