#!/usr/bin/env python3
"""The tokens of heed and of the package `tokenizers`, compared over random texts of all scripts.

    python tests/parity/random_texts.py DRIVER FILE [--cases 100000] [--seed 1] [--split gpt2]
    python tests/parity/random_texts.py --golden > tests/parity/texts.json
    python tests/parity/random_texts.py --learned > tests/parity/learned.json

DRIVER is the program `heed_tokens` (cmake --build build/release --target heed_tokens). FILE is a
tokenizer.json, or a GGUF file, whose vocabulary the package then gets as that model's own
tokenizer.json would have it. --split llama3 or qwen2 puts another pre-tokenizer into such a file.

For the tokens of Llama 2 there is sentence_pieces.py.

Each case is encoded twice: with the names of special tokens in a text as special tokens, and as any
text. How many texts decode() does not give back is printed too: all of WordPiece, and in SmolLM2 those with one of
the 21 bytes that are none of its tokens. Then a long text is encoded, and the times are printed. Exit status: 0 if nothing differs.

--golden trains small tokenizers of each kind and writes them with random texts and their ids, for the test that
needs no package. --learned writes what byte-level BPE the package learns from random texts.
"""
import argparse
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time

import tokenizers
from tokenizers import Regex, decoders, models, pre_tokenizers, trainers

SPLITS = {
    "llama3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "qwen2": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}
WORDS = ["it's", "don't", "I'LL", "'ſ", "'S", "We've", "1234567", "x²", "½", "٣٤", "नमस्ते", "한국어", "日本語",
         "Москва", "Ελλάς", "İstanbul", "ÅÉ", "e\u0301\u0323", "a\u0323\u0301", "👩‍👩‍👧‍👦", "🇰🇷", "\r\n", "\n\n", "\t",
         "   ", "\u00a0", "\u200b", "\u3000", "ﬁ", "ß", "ẞ", "\x00", "\x1f", "\ufffd", "\u1e9b\u0323", "##ing", "▁",
         "Ġ", "the", "Attention", "naïve", "http://a.b/c?d=e", "...", "—", "$3.50", "a_b", "\u0f71\u0f72\u0f74"]


def pre_tokenizer_of(split):
    bytes_of = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=split not in SPLITS)
    if split == "gpt2":
        return bytes_of
    first = pre_tokenizers.Digits(True) if split == "smollm" else pre_tokenizers.Split(Regex(SPLITS[split]), "isolated")
    return pre_tokenizers.Sequence([first, bytes_of])


def of_gguf(path, split):
    import gguf
    fields = gguf.GGUFReader(path).fields
    tokens = fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(m.split(" ")) for m in fields["tokenizer.ggml.merges"].contents()]
    kinds = fields["tokenizer.ggml.token_type"].contents()
    made = tokenizers.Tokenizer(models.BPE({t: i for i, t in enumerate(tokens)}, merges))
    made.pre_tokenizer = pre_tokenizer_of(split)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([tokenizers.AddedToken(t, normalized=False) for t, k in zip(tokens, kinds) if k == 3])
    return made


def random_text(rng, specials):
    blocks = [(0x20, 0x7F), (0x80, 0x24F), (0x300, 0x36F), (0x370, 0x5FF), (0x600, 0x6FF), (0x900, 0xDFF), (0xE00, 0xFFF),
              (0x1100, 0x11FF), (0x1E00, 0x20CF), (0x2100, 0x2BFF), (0x3000, 0x33FF), (0x4E00, 0x9FFF),
              (0xAC00, 0xD7A3), (0xF900, 0xFFFD), (0x10000, 0x10FFF), (0x11000, 0x12FFF), (0x16800, 0x18FFF),
              (0x1D000, 0x1FFFF), (0x20000, 0x323AF), (0xE0000, 0xE01EF), (0, 0x10FFFF)]
    text = ""
    for _ in range(rng.randint(0, 12)):
        kind = rng.random()
        if kind < 0.35:
            text += rng.choice(WORDS)
        elif kind < 0.4:
            text += rng.choice(specials)
        elif kind < 0.55:
            text += rng.choice([" ", "  ", "\n", " \n ", "'", ".", "1"])
        else:
            low, high = rng.choice(blocks)
            text += "".join(chr(c) for c in (rng.randint(low, high) for _ in range(rng.randint(1, 6)))
                            if not 0xD800 <= c < 0xE000)
        if rng.random() < 0.3:
            text += " "
    return text


def ours(driver, file, texts, *options):
    with tempfile.TemporaryDirectory() as folder:
        given, made = pathlib.Path(folder, "given"), pathlib.Path(folder, "made")
        given.write_bytes(b"".join(struct.pack("<I", len(t)) + t for t in texts))
        out = subprocess.run([driver, file, given, made, *options], check=True, capture_output=True, text=True)
        numbers = memoryview(made.read_bytes()).cast("i")
    ids, at = [], 0
    while at < len(numbers):
        ids.append(numbers[at + 1:at + 1 + numbers[at]].tolist())
        at += 1 + numbers[at]
    seconds, lost = out.stdout.split()
    return ids, float(seconds), int(lost)


def golden_kind(name, made, texts):
    cases = []
    for text in texts:
        ids = []
        for made.encode_special_tokens in [False, True]:
            ids.append(made.encode(text).ids)
        cases.append({"text": text, "specials": ids[0], "plain": ids[1]})
    return {"name": name, "tokenizer": json.loads(made.to_str()), "cases": cases}


def golden():
    rng = random.Random(1)
    text = [line for p in sorted(pathlib.Path(__file__).parents[2].glob("docs/*.md")) for line in open(p, encoding="utf-8")]
    text += [w for w in WORDS for _ in range(40)]
    kinds = []
    for split in ["word pieces", "smollm", "gpt2", "llama3", "qwen2"]:
        if split == "word pieces":
            names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
            made = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
            made.normalizer = tokenizers.normalizers.BertNormalizer()
            made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
            trainer = trainers.WordPieceTrainer(vocab_size=500, special_tokens=names, show_progress=False)
        else:
            names = ["<|endoftext|>", "<|im_start|>"]
            made = tokenizers.Tokenizer(models.BPE())
            made.pre_tokenizer = pre_tokenizer_of(split)
            trainer = trainers.BpeTrainer(vocab_size=450, special_tokens=names, show_progress=False,
                                          initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
        made.train_from_iterator(text, trainer)
        if split == "word pieces":
            made.post_processor = tokenizers.processors.TemplateProcessing(
                "[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
        kinds.append(golden_kind(split, made, [random_text(rng, names) for _ in range(60)]))
    print("[" + ",\n".join(json.dumps(k) for k in kinds) + "]")


def learned():
    cases = []
    for n, split in enumerate(["gpt2", "smollm", "llama3", "qwen2"]):
        rng = random.Random(n)
        names, texts = ["<|end|>", "<|begin|>"], []
        for _ in range(60):  # few words, so that many pairs are equally frequent
            texts.append(" ".join(rng.choice(WORDS[:28] + ["the", "then", "other", "2024"]) for _ in range(8)))
        made = tokenizers.Tokenizer(models.BPE())
        made.pre_tokenizer = pre_tokenizer_of(split)
        made.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=420, special_tokens=names, show_progress=False,
                                                            initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
        model = json.loads(made.to_str())["model"]
        tokens = sorted(model["vocab"], key=model["vocab"].get)
        cases.append({"splitting": split, "size": 420, "texts": texts, "tokens": tokens, "pairs": model["merges"]})
    json.dump(cases, sys.stdout, ensure_ascii=False)
    print()


def main():
    if sys.argv[1:] == ["--learned"]:
        return learned()
    if sys.argv[1:] == ["--golden"]:
        return golden()
    options = argparse.ArgumentParser()
    options.add_argument("driver")
    options.add_argument("file")
    options.add_argument("--cases", type=int, default=100000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--split", default="smollm", choices=["smollm", "gpt2", *SPLITS])
    options = options.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        file = options.file
        if file.endswith(".gguf"):
            theirs = of_gguf(file, options.split)
            if options.split != "smollm":
                file = str(pathlib.Path(folder, "tokenizer.json"))
                theirs.save(file)
        else:
            theirs = tokenizers.Tokenizer.from_file(file)
            theirs.no_truncation()
            theirs.no_padding()
        specials = [t.content for t in theirs.get_added_tokens_decoder().values()]
        rng = random.Random(options.seed)
        texts = ["".join(chr(c) for c in range(a, min(a + 64, 0x110000)) if not 0xD800 <= c < 0xE000)
                 for a in range(0, 0x110000, 64)] if options.cases else []
        texts += [random_text(rng, specials) for _ in range(options.cases)]
        wrong = 0
        for arguments in [["--specials"], []]:
            theirs.encode_special_tokens = not arguments
            expected = [e.ids for e in theirs.encode_batch(texts)]
            found, _, lost = ours(options.driver, file, [t.encode() for t in texts], *arguments)
            different = [i for i in range(len(texts)) if expected[i] != found[i]]
            for i in different[:10]:
                print(f"{texts[i]!r}\n  theirs {[theirs.id_to_token(t) for t in expected[i]]}\n"
                      f"  ours   {[theirs.id_to_token(t) for t in found[i]]}")
            print(f"{len(texts)} texts {' '.join(arguments)}: {len(different)} differ; {lost} are not given back")
            wrong += len(different)

        # Bytes that are no UTF-8 have no counterpart there; byte-level tokens must give them back.
        broken = [bytes(rng.choice(b"\xff\xc3\x28\xe2\x82abc \xf0\x9f\x98") for _ in range(rng.randint(0, 12)))
                  for _ in range(10000)]
        _, _, lost = ours(options.driver, file, broken)
        print(f"{len(broken)} texts of broken UTF-8: {lost} are not given back")

        # One core each.
        long = "\n".join(open(p, encoding="utf-8").read() for p in sorted(pathlib.Path(__file__).parents[2].glob("**/*.cpp"))
                         if "build" not in p.parts)[:4000000]
        lines = long.split("\n")
        for name, pieces in [("one text", [long]), ("lines", lines)]:
            begin = time.perf_counter()
            expected = [theirs.encode(p).ids for p in pieces]
            seconds = time.perf_counter() - begin
            found, mine, _ = ours(options.driver, file, [p.encode() for p in pieces])
            print(f"{name}, {len(long) / 1e6:.1f} MB: tokenizers {seconds:.2f} s, heed {mine:.2f} s; "
                  f"{'the same' if found == expected else 'DIFFERENT'}")
            wrong += found != expected
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
