"""Attention over short texts on a GPU: several texts in one row, under a mask that keeps them apart.

The kernels of a GPU work on blocks of 64 pieces or more, of which a term of a dozen pieces fills a fifth.
What is computed is the same; every model whose layers find their attention function by name can use it.
"""

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from medgauge.models.encoders.computation.devices import Place

if TYPE_CHECKING:
    from torch import Tensor

_NAME = "medgauge_short"
_ROW = 64  # pieces in a row, as many as a block of the kernel has
_ALIGNED = 16  # numbers: the rows of a mask begin at multiples of it
_KEPT = 4  # masks: those of one step of the network
_SPECIAL = ("position_bias", "softcap", "cache", "s_aux")  # what some models give to it besides
_CHOSEN = "index_topk"  # in the configuration of models that choose pieces only for attention of known names


def pack_short_texts(model: Any, place: Place) -> None:
    """Let the layers of a transformer on a GPU attend to several short texts at once.

    Models with attention of their own make, which has no name to look up, are left as they are.
    """
    config = model.config
    if place.device == "cuda" and config._attn_implementation == "sdpa" and not hasattr(config, _CHOSEN):
        register()
        model.set_attn_implementation(_NAME)


def register() -> None:
    """Tell the transformers library of this attention and of its masks."""
    from transformers import AttentionInterface, AttentionMaskInterface

    AttentionInterface.register(_NAME, attend)
    AttentionMaskInterface.register(_NAME, mask_of)


def mask_of(*given: Any, **options: Any) -> "Tensor | None":
    """Return the mask of a batch as for torch's attention, without asking the GPU whether one is needed.

    Only batches of texts of several lengths come with a mask, and to ask would be to wait for all that the
    GPU has yet to do.
    """
    from transformers.masking_utils import sdpa_mask

    if options.get("attention_mask") is not None:
        options |= dict.fromkeys(("allow_is_bidirectional_skip", "allow_is_causal_skip"), False)
    found: Tensor | None = sdpa_mask(*given, **options)
    return found


def attend(
    module: Any,
    query: "Tensor",
    key: "Tensor",
    value: "Tensor",
    attention_mask: "Tensor | None",
    dropout: float = 0.0,
    scaling: float | None = None,
    is_causal: bool | None = None,
    **more: Any,
) -> "tuple[Tensor, None]":
    """Compute attention as the library's own function does, for short texts several at a time."""
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    is_plain = query.shape == key.shape == value.shape and not dropout
    is_plain = is_plain and _is_for_all_heads(attention_mask, query)
    if not is_plain or 2 * query.shape[2] > _ROW or any(more.get(name) is not None for name in _SPECIAL):
        return sdpa_attention_forward(  # type: ignore[no-any-return]
            module, query, key, value, attention_mask, dropout, scaling, is_causal, **more
        )
    causal = bool(getattr(module, "is_causal", True) if is_causal is None else is_causal)
    return attend_in_rows(query, key, value, attention_mask, scaling, causal=causal), None


def _is_for_all_heads(mask: "Tensor | None", query: "Tensor") -> bool:
    """Return whether a mask is texts × 1 × pieces × pieces, or the same for all texts or all pieces."""
    texts, _, length, _ = query.shape
    if mask is None:
        return True
    return mask.dim() == 4 and (
        mask.shape[0] in (1, texts)
        and mask.shape[1] == 1
        and mask.shape[2] in (1, length)
        and mask.shape[3] == length
    )


def attend_in_rows(
    query: "Tensor",
    key: "Tensor",
    value: "Tensor",
    mask: "Tensor | None",
    scaling: float | None,
    *,
    causal: bool,
) -> "Tensor":
    """Return the values that each piece attends to (texts × pieces × heads × numbers).

    Given are texts × heads × pieces × numbers; a mask (texts × 1 × pieces × pieces) is true where a piece may
    be attended to, or is added to what is compared. Without a mask all pieces of the text are, or with
    `causal` those before. The last row may have fewer texts than the others.
    """
    import torch

    texts, heads, length, width = query.shape
    several = min(_ROW // length, texts)
    full = texts // several * several

    def attended(some: range, together: int) -> "Tensor":
        def in_rows(states: "Tensor") -> "Tensor":
            one_after_another = states[some.start : some.stop].transpose(1, 2)
            return one_after_another.reshape(-1, together * length, heads, width).transpose(1, 2)

        if mask is None:
            apart = _apart(together, length, causal, query.dtype, query.device)
        else:
            apart = _apart_under(mask, some, together, query.dtype)
        found = torch.nn.functional.scaled_dot_product_attention(
            in_rows(query), in_rows(key), in_rows(value), attn_mask=apart, scale=scaling
        )
        return found.transpose(1, 2).reshape(len(some), length, heads, width)

    rows = attended(range(full), several)
    if full == texts:
        return rows
    return torch.cat([rows, attended(range(full, texts), texts - full)])


@lru_cache(maxsize=4 * _ROW)
def _apart(several: int, length: int, causal: bool, dtype: Any, device: Any) -> "Tensor":
    """Return the mask of rows of texts whose pieces are all attended to, or all those before."""
    import torch

    with torch.inference_mode(False):  # others may use it for training
        allowed = torch.ones(1, 1, length, length, dtype=torch.bool, device=device)
        return _blocks(allowed.tril() if causal else allowed, several, dtype, rows=1)


@lru_cache(maxsize=_KEPT)  # each layer has the same
def _apart_under(mask: "Tensor", texts: range, several: int, dtype: Any) -> "Tensor":
    """Return the mask of rows of texts with masks of their own."""
    own = mask if mask.shape[0] == 1 else mask[texts.start : texts.stop]
    return _blocks(own, several, dtype, rows=len(texts) // several)


def _blocks(allowed: "Tensor", several: int, dtype: Any, rows: int) -> "Tensor":
    """Return masks of rows (rows × 1 × pieces × pieces) with those of their texts along the diagonal.

    Other texts get −∞. Within a text, the least number keeps a row of which everything is masked defined;
    kernels may multiply it by log₂ e, so that it is halved.
    """
    import torch

    never = torch.finfo(dtype).min / 2
    length = allowed.shape[-1]
    width = several * length
    aligned = -(-width // _ALIGNED) * _ALIGNED
    found = torch.full((rows, 1, width, aligned), -math.inf, dtype=dtype, device=allowed.device)[..., :width]
    each = found.view(rows, several, length, width).unflatten(3, (several, length))
    if allowed.dtype == torch.bool:
        own = torch.zeros(allowed.shape, dtype=dtype, device=allowed.device).masked_fill(~allowed, never)
    else:
        own = allowed.to(dtype).clamp(min=never)
    own = own[:, 0].expand(rows * several, length, length).unflatten(0, (rows, several))
    each.diagonal(dim1=1, dim2=3).copy_(own.permute(0, 2, 3, 1))
    return found
