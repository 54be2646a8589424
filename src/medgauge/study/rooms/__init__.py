"""What a study has other rooms do: text, training, runs on sets and NER, each behind a small protocol."""
