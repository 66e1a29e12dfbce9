#!/usr/bin/env python3
"""Writes families/: a small random model of each family that heed reads, saved by the package `transformers`,
with its logits or outputs for some tokens.

    python tests/parity/families.py      in the folder tests/parity
"""
import json
import pathlib
import shutil

import torch
from safetensors.torch import save_file
from transformers import BertConfig, BertModel, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM

torch.manual_seed(1)
torch.set_grad_enabled(False)
kinds = {k["name"]: k["tokenizer"] for k in json.load(open("texts.json"))}
plain = dict(bos_token_id=0, eos_token_id=1, pad_token_id=None)
small = dict(vocab_size=20, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
             intermediate_size=48, rms_norm_eps=1e-5, max_position_embeddings=64, tie_word_embeddings=False, **plain)
# Of the four pairs of a head one keeps its frequency, one is slowed, and two are between.
stretched = dict(rope_type="llama3", rope_theta=100.0, factor=4.0, low_freq_factor=0.3, high_freq_factor=1.5,
                 original_max_position_embeddings=12)
models = {
    "llama": LlamaForCausalLM(LlamaConfig(**small)),
    "gpt2": GPT2LMHeadModel(GPT2Config(vocab_size=20, n_embd=24, n_layer=2, n_head=3, n_positions=32, **plain)),
    "bert": BertModel(BertConfig(vocab_size=20, hidden_size=24, num_hidden_layers=2, num_attention_heads=3,
                                 intermediate_size=40, max_position_embeddings=32)),
}
later = {
    "llama3": lambda: LlamaForCausalLM(LlamaConfig(**small, rope_parameters=stretched)),
    "qwen2": lambda: Qwen2ForCausalLM(Qwen2Config(**small)),
}
ids = torch.tensor([[3, 17, 5, 5, 11, 0, 19, 8, 2]])
shutil.rmtree("families", ignore_errors=True)
for name, model in [*models.items(), *later.items()]:
    if name in later:  # each begins anew, so that another one changes no file
        torch.manual_seed(2)
        model = model()
    model.eval()
    for p in model.parameters():  # biases and norms too
        p += 0.1 * torch.randn_like(p)
    folder = pathlib.Path("families", name)
    model.save_pretrained(folder, max_shard_size="20KB" if name == "llama" else "10MB")
    (folder / "generation_config.json").unlink(missing_ok=True)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + [chr(97 + i) for i in range(15)]
    tokenizer = {"added_tokens": [], "normalizer": None, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False},
                 "model": {"type": "BPE", "vocab": {chr(97 + i): i for i in range(20)}, "merges": []}}
    if name == "bert":
        (folder / "vocab.txt").write_text("".join(t + "\n" for t in vocabulary))
    else:
        (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    y = model(ids)
    save_file({"ids": ids.float(), "y": (y.last_hidden_state if name == "bert" else y.logits).contiguous()},
              folder / "expected.safetensors")
