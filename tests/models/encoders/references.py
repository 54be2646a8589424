"""Slow, obvious encoders: one text at a time, without batches, padding or masks, from the definitions."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from medgauge.models.lookup import Tokenizer
from medgauge.models.tokens import word_places


@cache
def loaded(folder: Path) -> tuple[Any, Any]:
    from transformers import AutoModel, AutoTokenizer

    return AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()


def hidden_states(folder: Path, text: str) -> tuple[list[np.ndarray], list[bool], list[tuple[int, int]]]:
    """Return the hidden states of each layer, which pieces are special, and where pieces are in the text."""
    import torch

    tokenizer, model = loaded(folder)
    split = tokenizer(text, return_special_tokens_mask=True, return_offsets_mapping=True, truncation=True)
    with torch.no_grad():
        found = model(input_ids=torch.tensor([split["input_ids"]]), output_hidden_states=True)
    layers = [layer[0].numpy().astype(np.float64) for layer in found.hidden_states]
    return layers, [bool(one) for one in split["special_tokens_mask"]], split["offset_mapping"]


def encode(
    folder: Path, text: str, *, pooling: str = "mean", layers=(-1,), special_tokens: bool = False
) -> np.ndarray:
    states, special, _ = hidden_states(folder, text)
    average = sum(states[layer] for layer in layers) / len(layers)
    if pooling == "cls":
        return average[0]
    rows = [row for row, is_special in zip(average, special, strict=True) if special_tokens or not is_special]
    if pooling == "last":
        return rows[-1]
    return np.max(rows, axis=0) if pooling == "max" else np.mean(rows, axis=0)


def encode_words(
    folder: Path, text: str, *, words: str, tokenizer: Tokenizer = "words"
) -> list[np.ndarray | None]:
    plain, places = word_places(text, tokenizer=tokenizer)
    states, _, offsets = hidden_states(folder, plain)
    found: list[np.ndarray | None] = []
    for start, stop in places:
        mine = [
            row
            for row, (first, last) in zip(states[-1], offsets, strict=True)
            if first < stop and last > start
        ]
        found.append(None if not mine else mine[0] if words == "first" else np.mean(mine, axis=0))
    return found
