"""A published model in PyTorch, by the package transformers, with the dequantised weights of a GGUF file.

    python3 pytorch.py FILE float32 read|write THREADS FOLDER
"""
import pathlib
import sys

import torch

import common

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests" / "parity"))
import published  # noqa: E402


def main():
    file, _, kind, threads, _ = sys.argv[1:]
    torch.set_num_threads(int(threads))
    torch.set_grad_enabled(False)
    model = published.from_gguf(file)
    if kind == "read":
        ids = torch.tensor([common.text(common.READ)])

        def step():
            model(ids, use_cache=True, logits_to_keep=1)
    else:
        before = torch.tensor([common.text(common.BEFORE)])

        cache = model(before[:, :-1], use_cache=True, logits_to_keep=1).past_key_values

        def step():
            if cache.get_seq_length() >= common.BEFORE:
                cache.crop(-common.WRITTEN)  # what the step before has written
            token = before[:, -1:]
            for _ in range(common.WRITTEN):
                token = model(token, past_key_values=cache, use_cache=True).logits[:, -1].argmax(-1, keepdim=True)
    common.serve(step)


main()
