#!/usr/bin/env python3
"""Published models in heed and in the packages of Hugging Face, compared on the same texts.

    python tests/parity/published.py DRIVER MODEL [--lines 1000]

DRIVER is the program `heed_published` (cmake --build build/release --target heed_published). MODEL is a GGUF
file of the Llama family, of which the same dequantised weights are given to `transformers`: then logits have to
agree to 1e-3 of their spread, and 64 tokens of greedy text have to be the same. Or it is a folder with a BERT:
then the vectors of so many lines have to have a cosine of at least 0.99999. Tokens have to be the same.
Exit status: 0 if all holds.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file

# Prose, questions, code, lists, several scripts, a conversation; one letter, and a long one.
PROMPTS = """Attention is all
The capital of France is
def fibonacci(n):
1, 2, 3, 4, 5,
Once upon a time there was a
<|im_start|>user\\nWhat is 2 + 2?<|im_end|>\\n<|im_start|>assistant\\n
나는 학생
Q: Why is the sky blue? A:
The quick brown fox
To make bread you need flour, water and
In the beginning
for i in range(10):
SELECT name FROM users WHERE
Dear Sir or Madam,
The three primary colours are
My favourite book is
Water boils at
E = m
the the the the the
A
The derivative of x squared is
"I don't know," she said, "but
Monday, Tuesday, Wednesday,
red, green, blue, red, green, blue, red,
import numpy as np
<html><body><h1>
The cat sat on the
Translate to French: good morning ->
日本の首都は
Москва — столица
Two plus two equals four. Three plus three equals
An even number is
The largest planet is
Dogs bark, cats
{"name": "Anna", "age":
## Installation
It was a dark and stormy night;
The opposite of hot is
She sells sea shells by
Photosynthesis is the process by which
A neural network learns by
Once the train had left the station, the old man sat down on a bench and
Breaking news:
Ingredients: eggs, sugar,
If it rains tomorrow,
Chapter 1
struct Node {
The meaning of life
1 + 1 = 2, 2 + 2 = 4, 4 + 4 =
Yes""".split("\n")


def from_gguf(path):
    import gguf
    from transformers import LlamaConfig, LlamaForCausalLM
    reader = gguf.GGUFReader(path)
    field = {k: f.contents() for k, f in reader.fields.items() if not k.startswith("tokenizer.ggml.")}
    heads, groups = field["llama.attention.head_count"], field["llama.attention.head_count_kv"]
    config = LlamaConfig(hidden_size=field["llama.embedding_length"], num_hidden_layers=field["llama.block_count"],
                         num_attention_heads=heads, num_key_value_heads=groups,
                         intermediate_size=field["llama.feed_forward_length"], vocab_size=field["llama.vocab_size"],
                         rms_norm_eps=field["llama.attention.layer_norm_rms_epsilon"],
                         rope_theta=field["llama.rope.freq_base"], tie_word_embeddings=True,
                         max_position_embeddings=field["llama.context_length"])
    if hasattr(config, "rope_parameters"):
        config.rope_parameters = {"rope_type": "default", "rope_theta": field["llama.rope.freq_base"]}
    model = LlamaForCausalLM(config).eval()
    names = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
             "attn_output": "self_attn.o_proj", "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
             "ffn_up": "mlp.up_proj", "ffn_gate": "mlp.gate_proj", "ffn_down": "mlp.down_proj"}
    state = {}
    for t in reader.tensors:
        x = torch.tensor(gguf.quants.dequantize(t.data, t.tensor_type)).reshape(tuple(int(n) for n in reversed(t.shape)))
        part = t.name.split(".")
        if part[0] == "blk":
            if part[2] in ("attn_q", "attn_k"):  # neighbouring pairs become halves
                h = heads if part[2] == "attn_q" else groups
                x = x.reshape(h, x.shape[0] // h // 2, 2, x.shape[1]).transpose(1, 2).reshape(x.shape)
            name = f"model.layers.{part[1]}.{names[part[2]]}.weight"
        else:
            name = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}[part[0]] + ".weight"
        state[name] = x
    missing, unexpected = model.load_state_dict(state, strict=False)
    assert not unexpected and set(missing) <= {"lm_head.weight"}, (missing, unexpected)
    model.tie_weights()
    return model


def main():
    options = argparse.ArgumentParser()
    options.add_argument("driver")
    options.add_argument("model")
    options.add_argument("--lines", type=int, default=1000)
    options = options.parse_args()
    torch.set_grad_enabled(False)
    bert = not options.model.endswith(".gguf")
    lines = [p.replace("\\n", " ") for p in PROMPTS]
    if bert:
        root = pathlib.Path(__file__).parents[2]
        lines += [s for p in sorted(root.glob("**/*.md")) if "build" not in p.parts
                  for s in open(p, encoding="utf-8").read().splitlines() if s.strip()]
        lines = lines[:options.lines]
    with tempfile.TemporaryDirectory() as folder:
        given, made = pathlib.Path(folder, "given"), pathlib.Path(folder, "made.safetensors")
        given.write_text("".join(x + "\n" for x in lines), encoding="utf-8")
        print(subprocess.run([options.driver, options.model, given, made], check=True, capture_output=True, text=True).stdout)
        ours = load_file(made)
    good = True
    if bert:
        import tokenizers
        from transformers import BertModel
        model = BertModel.from_pretrained(options.model).eval()
        tokenizer = tokenizers.Tokenizer.from_file(options.model + "/tokenizer.json")
        tokenizer.no_truncation()
        tokenizer.no_padding()
        worst, wrong = 1.0, 0
        for i, line in enumerate(lines):
            ids = tokenizer.encode(line).ids
            wrong += ids != ours[f"{i}.ids"].int().tolist()
            if len(ids) > 512:
                ids = ids[:511] + ids[-1:]
            y = model(torch.tensor([ids])).last_hidden_state[0].mean(0)
            worst = min(worst, torch.cosine_similarity(y.double(), ours["vectors"][i].double(), dim=0).item())
        print(f"{len(lines)} lines: tokens of {wrong} differ; smallest cosine {worst:.8f}")
        good = wrong == 0 and worst >= 0.99999
    else:
        model = from_gguf(options.model)
        for i, line in enumerate(lines):
            ids = ours[f"{i}.ids"].long()[None]
            theirs = model(ids).logits[0]
            error = ((theirs - ours[f"{i}.logits"]).abs().max() / theirs.std()).item()
            text = model.generate(ids, max_new_tokens=64, min_new_tokens=64, do_sample=False, eos_token_id=None, pad_token_id=0)[0, ids.shape[1]:]
            found = ours[f"{i}.greedy"].long()
            same = int((found == text).long().cumprod(0).sum())
            print(f"{line[:40]!r}: logits differ by {error:.1e} of their spread; {same} of 64 tokens the same")
            good = good and error <= 1e-3 and same == 64
    sys.exit(not good)


if __name__ == "__main__":
    main()
