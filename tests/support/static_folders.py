"""Tiny static models in folders, whose vectors follow from a formula."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

WORDS = ["[PAD]", "[UNK]", "heart", "attack", "##s", "acute", "lung", "un", "##known", "-"]


def word_pieces(words: list[str] = WORDS) -> Any:
    """Return a tokenizer of word pieces in lower case, which pads and adds marks unless it is told not to."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[PAD] $A [PAD]", special_tokens=[("[PAD]", 0)]
    )
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]", length=12)
    return tokenizer


def made_rows(count: int = len(WORDS), dim: int = 6) -> NDArray[np.float32]:
    """Return vectors that look random and are the same with every release of numpy."""
    return np.sin(np.arange(1, count * dim + 1) * np.sqrt(7)).reshape(count, dim).astype(np.float32)


def write_static(
    folder: Path,
    arrays: dict[str, NDArray[Any]] | None = None,
    config: dict[str, Any] | None = None,
    tokenizer: Any = None,
) -> Path:
    """Write a model as model2vec does."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    save_file({"embeddings": made_rows()} if arrays is None else arrays, folder / "model.safetensors")
    (tokenizer or word_pieces()).save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"normalize": True} if config is None else config))
    return folder
