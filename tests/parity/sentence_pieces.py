#!/usr/bin/env python3
"""The tokens of Llama 2 and Mistral in heed, in the package `tokenizers` and in SentencePiece, over random texts.

    python tests/parity/sentence_pieces.py DRIVER [MODEL...] [--cases 100000] [--seed 1]
    python tests/parity/sentence_pieces.py --golden > tests/parity/pieces.json

DRIVER is the program `heed_tokens`. MODEL is a file of SentencePiece, such as tokenizer.model of Mistral (the package
mistral-common of PyPI holds it). Needs the packages tokenizers, sentencepiece and gguf.

First small tokenizers of each kind are learned with `tokenizers`; heed reads their tokenizer.json. Then SentencePiece
learns one. It and each MODEL become the tokenizer of a GGUF file, as llama.cpp's conversion writes it, and what heed
makes of texts is compared with SentencePiece itself. Each case of a tokenizer.json is encoded twice, as in
random_texts.py, and decoded. Last, a text of 1 MB is encoded, on one core each. Exit status: 0 if nothing differs.

--golden writes small tokenizers of each kind with random texts, their ids and what comes back, for the test that
needs no package.
"""
import argparse
import io
import json
import pathlib
import random
import sys
import tempfile
import time

import gguf
import sentencepiece
import tokenizers
from tokenizers import decoders, models, pre_tokenizers, trainers

from random_texts import WORDS, golden_kind, ours, random_text

ROOT = pathlib.Path(__file__).parents[2]
SPECIALS = ["<unk>", "<s>", "</s>", "<0x0A>", "▁", "▁▁▁"]


# The tokens of Llama 2: what becomes of spaces, and of characters that are no tokens.
PIECES = {
    "pieces": {"spaces": "prepend", "bytes": True},
    "pieces, first": {"spaces": "first", "bytes": True},
    "pieces, always": {"spaces": "always", "bytes": True, "split": False},
    "pieces, never": {"spaces": "never", "bytes": True},
    "pieces, replace": {"spaces": "replace", "bytes": False, "fuse": True, "split": False},
    "pieces, unknown": {"spaces": "prepend", "bytes": False, "fuse": False},
}


def pieces(texts, size, spaces, bytes, fuse=True, split=True):
    """A tokenizer learned from texts. split: no learned token has a space behind another character."""
    learned = tokenizers.Tokenizer(models.BPE())
    learned.pre_tokenizer = pre_tokenizers.Metaspace(split=split)
    learned.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=size, limit_alphabet=70, show_progress=False))
    model = json.loads(learned.to_str())["model"]
    names = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)] * bytes
    names += sorted(model["vocab"], key=model["vocab"].get)
    made = tokenizers.Tokenizer(models.BPE({t: i for i, t in enumerate(names)}, [tuple(m) for m in model["merges"]],
                                           unk_token="<unk>", fuse_unk=fuse, byte_fallback=bytes))
    replace = tokenizers.normalizers.Replace(" ", "▁")
    if spaces == "prepend":
        made.normalizer = tokenizers.normalizers.Sequence([tokenizers.normalizers.Prepend("▁"), replace])
    elif spaces == "replace":
        made.normalizer = replace
    else:
        made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=spaces, split=False)
    strip = [decoders.Strip(" ", 1, 0)] * (spaces not in ["never", "replace"])
    made.decoder = decoders.Sequence([decoders.Replace("▁", " ")] + [decoders.ByteFallback()] * bytes + [decoders.Fuse()] + strip)
    made.add_special_tokens([tokenizers.AddedToken(t, normalized=False) for t in names[:3]])
    made.post_processor = tokenizers.processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 1)])
    return made


def random_texts(rng, cases):
    texts = ["".join(chr(c) for c in range(a, min(a + 64, 0x110000)) if not 0xD800 <= c < 0xE000)
             for a in range(0, 0x110000, 64)] if cases else []
    return texts + [random_text(rng, SPECIALS) for _ in range(cases)]


def report(what, texts, expected, found, names):
    different = [i for i in range(len(texts)) if expected[i] != found[i]]
    for i in different[:5]:
        print(f"{texts[i]!r}\n  theirs {[names(t) for t in expected[i]]}\n  ours   {[names(t) for t in found[i]]}")
    print(f"{what}: {len(texts)} texts, {len(different)} differ")
    return len(different)


def timed(what, driver, file, text, theirs, expected_of):
    begin = time.perf_counter()
    expected = expected_of(text)
    seconds = time.perf_counter() - begin
    found, mine, _ = ours(driver, file, [text.encode()])
    same = found == [expected]
    print(f"one text, {len(text) / 1e6:.1f} MB: {theirs} {seconds:.2f} s, heed {mine:.2f} s; {'the same' if same else 'DIFFERENT'}")
    return not same


def as_gguf(model, path, space):
    """What convert_hf_to_gguf.py of llama.cpp writes of a SentencePiece model without tokens of users."""
    count = model.vocab_size()
    kinds = [2 if model.is_unknown(i) else 3 if model.is_control(i) else 5 if model.is_unused(i) else
             6 if model.is_byte(i) else 1 for i in range(count)]
    out = gguf.GGUFWriter(path, "llama")
    out.add_tokenizer_model("llama")
    out.add_token_list([model.id_to_piece(i) for i in range(count)])
    out.add_token_scores([model.get_score(i) for i in range(count)])
    out.add_token_types(kinds)
    out.add_bos_token_id(model.bos_id())
    out.add_unk_token_id(model.unk_id())
    out.add_add_space_prefix(space)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.close()


def learned_by_sentencepiece(lines, **options):
    made = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=made, model_type="bpe", normalization_rule_name="identity",
        remove_extra_whitespaces=False, minloglevel=2, character_coverage=0.98, **options)
    return sentencepiece.SentencePieceProcessor(model_proto=made.getvalue())


def compare_tokenizer_json(driver, name, lines, texts, folder):
    theirs = pieces(lines, 800, **PIECES[name])
    file = str(pathlib.Path(folder, "tokenizer.json"))
    theirs.save(file)
    wrong = 0
    for arguments in [["--specials"], []]:
        theirs.encode_special_tokens = not arguments
        expected = [e.ids for e in theirs.encode_batch(texts)]
        found, _, lost = ours(driver, file, [t.encode() for t in texts], *arguments)
        wrong += report(f"{name} {' '.join(arguments)}", texts, expected, found, theirs.id_to_token)
    back = sum(a != b for a, b in zip(theirs.decode_batch(expected), texts))
    print(f"  {lost} are not given back by heed, {back} by tokenizers")
    return wrong + (lost > back), theirs, file


def compare_model(driver, name, model, texts, folder):
    file = str(pathlib.Path(folder, "model.gguf"))
    as_gguf(model, file, space=model.encode("a", out_type=str)[0].startswith("▁"))
    expected = [[model.bos_id()] + ids for ids in model.encode(texts)]
    found, _, lost = ours(driver, file, [t.encode() for t in texts])
    wrong = report(name, texts, expected, found, model.id_to_piece)
    print(f"  {lost} are not given back by heed, {sum(a != b for a, b in zip(model.decode(expected), texts))} by SentencePiece")
    if model.is_byte(model.piece_to_id("<0x0A>")):
        rng = random.Random(1)
        broken = [bytes(rng.choice(b"\xff\xc3\x28\xe2\x82abc \xf0\x9f\x98") for _ in range(rng.randint(0, 12)))
                  for _ in range(10000)]
        lost = ours(driver, file, broken)[2]
        print(f"  {len(broken)} texts of broken UTF-8: {lost} are not given back")
        wrong += lost
    return wrong, file


def training_texts():
    lines = [line for p in sorted(ROOT.glob("docs/*.md")) for line in open(p, encoding="utf-8")]
    return lines + [w for w in WORDS for _ in range(40)]


def golden():
    kinds, rng, lines = [], random.Random(2), training_texts()
    for name in PIECES:
        made = pieces(lines, 200, **PIECES[name])
        kinds.append(golden_kind(name, made, [random_text(rng, SPECIALS) for _ in range(60)]))
        for case in kinds[-1]["cases"]:
            case["back"] = made.decode(case["plain"])
    print("[" + ",\n".join(json.dumps(k) for k in kinds) + "]")


def main():
    if sys.argv[1:] == ["--golden"]:
        return golden()
    options = argparse.ArgumentParser()
    options.add_argument("driver")
    options.add_argument("models", nargs="*")
    options.add_argument("--cases", type=int, default=100000)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    lines = training_texts()
    long = "\n".join(open(p, encoding="utf-8").read() for p in sorted(ROOT.glob("[!b]*/**/*.cpp")))[:1000000]
    texts, wrong = random_texts(random.Random(options.seed), options.cases), 0
    with tempfile.TemporaryDirectory() as folder:
        for name in PIECES:
            differ, theirs, file = compare_tokenizer_json(options.driver, name, lines, texts, folder)
            wrong += differ
            wrong += timed(name, options.driver, file, long, "tokenizers", lambda t: theirs.encode(t).ids)
        models = {
            "SentencePiece": learned_by_sentencepiece(lines, vocab_size=900, byte_fallback=True),
            "SentencePiece without bytes": learned_by_sentencepiece(lines, vocab_size=700),
            "SentencePiece across words": learned_by_sentencepiece(
                lines, vocab_size=900, byte_fallback=True, split_by_whitespace=False, add_dummy_prefix=False),
            **{m: sentencepiece.SentencePieceProcessor(model_file=m) for m in options.models}}
        for name, model in models.items():
            differ, file = compare_model(options.driver, name, model, texts, folder)
            wrong += differ
            wrong += timed(name, options.driver, file, long, "SentencePiece", lambda t: [model.bos_id()] + model.encode(t))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
