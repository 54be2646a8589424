"""Tiny encoders with random weights and their own vocabularies, in the form in which others are published."""

import json
from pathlib import Path
from typing import Any

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
PIECES = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    *(
        "acute",
        "renal",
        "kidney",
        "heart",
        "failure",
        "attack",
        "disease",
        "nephr",
        "##itis",
        "##al",
        "in",
        "of",
    ),
    *_LETTERS,
    *(f"##{letter}" for letter in _LETTERS),
    *"-/'(),",
]


def save_bert(folder: Path, *, context: int = 40, dim: int = 24, layers: int = 3, seed: int = 0) -> Path:
    """Write a BERT with word pieces."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import BertConfig, BertModel

    numbers = {piece: number for number, piece in enumerate(PIECES)}
    splitter = Tokenizer(WordPiece(numbers, unk_token="[UNK]"))
    splitter.normalizer = BertNormalizer(lowercase=True)
    splitter.pre_tokenizer = BertPreTokenizer()
    splitter.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", numbers["[CLS]"]), ("[SEP]", numbers["[SEP]"])]
    )
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(PIECES),
        hidden_size=dim,
        num_hidden_layers=layers,
        num_attention_heads=4,
        intermediate_size=2 * dim,
        max_position_embeddings=context,
        pad_token_id=numbers["[PAD]"],
        initializer_range=0.5,
    )
    return _save(folder, BertModel(config), splitter, special, context)


def save_gpt(folder: Path, *, context: int = 64, dim: int = 24, seed: int = 0) -> Path:
    """Write a GPT-2 whose pieces are bytes; like many decoders it has no token for padding."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.decoders import ByteLevel as Decoder
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import GPT2Config, GPT2Model

    numbers = {sign: number for number, sign in enumerate(sorted(ByteLevel.alphabet()))}
    splitter = Tokenizer(BPE(numbers, []))
    splitter.pre_tokenizer = ByteLevel(add_prefix_space=False)
    splitter.decoder = Decoder()
    torch.manual_seed(seed)
    config = GPT2Config(
        vocab_size=len(numbers), n_positions=context, n_embd=dim, n_layer=2, n_head=4, initializer_range=0.5
    )
    return _save(folder, GPT2Model(config), splitter, {}, context)


def as_sentence_model(
    folder: Path,
    *,
    pooling: str = "mean",
    normalised: bool = True,
    prompts: dict[str, str] | None = None,
    **more: Any,
) -> Path:
    """Add to a transformer's folder what makes it a sentence-transformers model."""
    names = ["Transformer", "Pooling", *(["Normalize"] if normalised else [])]
    paths = ["", "1_Pooling", "2_Normalize"]
    modules = [
        {"idx": number, "name": str(number), "path": path, "type": f"sentence_transformers.models.{name}"}
        for number, (name, path) in enumerate(zip(names, paths, strict=False))
    ]
    dim = json.loads((folder / "config.json").read_text("utf-8"))
    width = dim.get("hidden_size", dim.get("n_embd"))
    for path in paths[1 : len(names)]:
        (folder / path).mkdir(exist_ok=True)
    _write(folder / "modules.json", modules)
    _write(
        folder / "1_Pooling" / "config.json",
        {
            "word_embedding_dimension": width,
            f"pooling_mode_{pooling}_tokens" if pooling != "cls" else "pooling_mode_cls_token": True,
        }
        | ({"pooling_mode_mean_tokens": False} if pooling != "mean" else {}),
    )
    _write(folder / "config_sentence_transformers.json", {"prompts": prompts or {}, **more})
    return folder


def _save(folder: Path, model: Any, splitter: Any, special: dict[str, str], context: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    splitter.save(str(folder / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": context, **special}
    _write(folder / "tokenizer_config.json", settings)
    return folder


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), "utf-8")
