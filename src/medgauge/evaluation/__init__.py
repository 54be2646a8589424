"""Where gold and scores meet: models are scored on sets, and the scores held against the gold."""
