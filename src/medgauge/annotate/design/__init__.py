"""What annotators are asked, who rates which pairs, and the making of a study."""
