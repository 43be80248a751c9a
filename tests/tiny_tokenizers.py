"""Small tokenizers, trained in a moment, that cut texts at awkward places in the same ways as large ones do.

`tiny(KIND)` returns a tokenizer of transformers. Each kind shows an effect that can shift a mask:

    chatml      byte-level, NFC; line ends merge with what stands before them; some added tokens are not special
    bos         byte-level; the post-processor puts a BOS in front
    trimmed     byte-level; offsets leave out the space at the start of a token
    nfkc        byte-level; a normalizer that makes one character into several
    spaced      SentencePiece; a space is put in front of a text that does not begin with an added token
    legacy      SentencePiece; a space is put in front of every text between added tokens
    stripping   as legacy; added tokens swallow the white space behind them
    newlines    SentencePiece without a space in front; runs of line ends are added tokens
"""

import json
from functools import lru_cache

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

NOUNS = "answer bridge captain city cloud garden harbour letter market mirror model question river storm token window"
VERBS = "asks builds calls carries finds keeps knows leaves likes reads says sees sends shows takes writes"
SMALL = (
    "a an and as at by for from hello hi how in is it next no not of ok on or so than that the then this to we yes you"
)
ROLES = "assistant user system tool developer model think function name arguments result"
MARKS = [".", ".\n", ".\n\n", "!", "!\n\n", "?", "?\n\n", ":", ":\n\n", ",", ";", "\n", "\n\n"]
CUTTING = (
    r"'(?:s|t|re|ve|m|ll|d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
SPACE = "▁"


def special(text, **flags):
    return AddedToken(text, **{"special": True, "normalized": False, **flags})


def plain(text, **flags):
    return AddedToken(text, **{"special": False, "normalized": False, **flags})


CHATML = [
    *map(special, ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]),
    *map(plain, ["<think>", "</think>", "<tool_call>", "</tool_call>"]),
]
HEADERS = [
    *map(special, ["<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|pad|>"]),
]
STRIPPING = [
    special("<|endoftext|>"),
    *(special(text, rstrip=True) for text in ("<|user|>", "<|assistant|>", "<|system|>", "<|end|>")),
]
TURNS = [*map(special, ["<start_of_turn>", "<end_of_turn>"]), *(plain("\n" * count) for count in range(2, 6))]


@lru_cache(maxsize=1)
def sample():
    """Return some twenty thousand characters in which every word meets every mark."""
    words = [*NOUNS.split(), *VERBS.split(), *SMALL.split(), *ROLES.split()]
    lines = []
    for step, mark in enumerate(MARKS * 3):
        turned = words[step:] + words[:step]
        lines.append(" ".join(f"{word}{mark}" if place % 4 == 0 else word for place, word in enumerate(turned)))
        lines.append("".join(f"{word}\n" for word in ROLES.split()))
    return "".join(lines) * 2


@lru_cache(maxsize=1)
def byte_level_settings():
    """Train a byte-level vocabulary and return it as JSON."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(CUTTING), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    made.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=900, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator([sample()], trainer)
    return made.to_str()


@lru_cache(maxsize=1)
def pieces():
    """Train a SentencePiece vocabulary and return its pieces and merges."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    lines = [line for line in sample().splitlines() if line.strip()]
    made.train_from_iterator(lines, trainers.BpeTrainer(vocab_size=700, show_progress=False))
    model = json.loads(made.to_str())["model"]
    return sorted(model["vocab"], key=model["vocab"].get), model["merges"]


def byte_level(tokens, *, normalizer=None, trimmed=False, bos=None):
    settings = json.loads(byte_level_settings())
    settings["normalizer"] = normalizer and {"type": normalizer}
    offsets = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": trimmed, "use_regex": True}
    settings["post_processor"] = offsets
    return finished(settings, tokens, bos, offsets)


def sentencepiece(tokens, *, scheme, bos=None):
    found, merges = pieces()
    names = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), SPACE, "\n", *found]
    spaces = {"type": "Replace", "pattern": {"String": " "}, "content": SPACE}
    in_front = {"type": "Prepend", "prepend": SPACE}
    normalizers = {"legacy": {"type": "Sequence", "normalizers": [in_front, spaces]}, "none": spaces}
    metaspace = {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "first", "split": False}
    settings = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": normalizers.get(scheme),
        "pre_tokenizer": metaspace if scheme == "first" else None,
        "decoder": {"type": "ByteFallback"},
        "model": {
            "type": "BPE",
            "unk_token": "<unk>",
            "fuse_unk": True,
            "byte_fallback": True,
            "vocab": {name: index for index, name in enumerate(dict.fromkeys(names))},
            "merges": merges,
        },
    }
    return finished(settings, [*map(special, ["<unk>", "<s>", "</s>"]), *tokens], bos)


def finished(settings, tokens, bos, *processors):
    """Add tokens, and let the post-processor put a BOS in front where one is named."""
    made = Tokenizer.from_str(json.dumps(settings))
    for token in tokens:
        (made.add_special_tokens if token.special else made.add_tokens)([token])
    if bos is None:
        return made
    own = {"SpecialToken": {"id": bos, "type_id": 0}}
    placed = {
        "type": "TemplateProcessing",
        "single": [own, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [own, {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {bos: {"id": bos, "ids": [made.token_to_id(bos)], "tokens": [bos]}},
    }
    settings = json.loads(made.to_str())
    settings["post_processor"] = {"type": "Sequence", "processors": [*processors, placed]} if processors else placed
    return Tokenizer.from_str(json.dumps(settings))


CHATML_NAMES = {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}
PIECE_NAMES = {
    "bos_token": "<s>",
    "eos_token": "</s>",
    "unk_token": "<unk>",
    "pad_token": "<unk>",
    "padding_side": "left",
}
KINDS = {
    "chatml": (lambda: byte_level(CHATML, normalizer="NFC"), CHATML_NAMES),
    "bos": (
        lambda: byte_level(HEADERS, bos="<|begin_of_text|>"),
        {"bos_token": "<|begin_of_text|>", "eos_token": "<|eot_id|>", "pad_token": "<|pad|>"},
    ),
    "trimmed": (lambda: byte_level(CHATML, trimmed=True), CHATML_NAMES),
    "nfkc": (lambda: byte_level(CHATML, normalizer="NFKC"), CHATML_NAMES),
    "spaced": (lambda: sentencepiece([special("[INST]"), special("[/INST]")], scheme="first", bos="<s>"), PIECE_NAMES),
    "legacy": (lambda: sentencepiece([], scheme="legacy", bos="<s>"), PIECE_NAMES),
    "stripping": (lambda: sentencepiece(STRIPPING, scheme="legacy"), {**PIECE_NAMES, "eos_token": "<|endoftext|>"}),
    "newlines": (lambda: sentencepiece(TURNS, scheme="none", bos="<s>"), {**PIECE_NAMES, "eos_token": "<end_of_turn>"}),
}


def tiny(kind, **settings):
    """Return a fresh tokenizer of that kind; settings go to transformers."""
    from transformers import PreTrainedTokenizerFast

    make, names = KINDS[kind]
    return PreTrainedTokenizerFast(tokenizer_object=make(), **{**names, **settings})
