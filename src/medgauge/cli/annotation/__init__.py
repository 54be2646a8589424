"""The commands of annotation: studies, agreement and gold."""
