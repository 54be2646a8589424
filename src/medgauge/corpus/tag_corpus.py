"""Tags a corpus that has tokens only."""

from pathlib import Path

from medgauge.corpus.stored_corpus import SCHEMAS, Corpus, CorpusWriter
from medgauge.corpus.taggers import open_tagger
from medgauge.progress import track

_ROWS = 512  # that are tagged at a time


def tag_corpus(corpus: Corpus, out: Path, *, tagger: str) -> Corpus:
    """Write a corpus with the tokens of another, and the lemmas and parts of speech that a tagger finds."""
    opened = open_tagger(tagger)
    card = corpus.card
    with CorpusWriter(out, opened.layout, tokenizer=card.tokenizer, tagger=tagger) as writer:
        writer.sources, writer.unread, writer.unread_parts = card.sources, card.unread, card.unread_parts
        with track(f"tagging, {tagger}", card.tokens, "tokens") as advance:
            for batch in corpus.batches(list(SCHEMAS["forms"])):
                for start in range(0, batch.height, _ROWS):
                    rows = batch[start : start + _ROWS]
                    writer.write(opened.tagged(rows))
                    advance(int(rows["tokens"].list.len().sum()))
    return Corpus.open(out)
