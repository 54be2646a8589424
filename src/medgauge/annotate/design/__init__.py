"""The design of a study: what annotators are asked, who rates which pairs, and how a study is made."""
