"""One workload in PyTorch, with the protocol of bench/worker.h.

    python3 worker.py FILE THREADS [--results FILE] [--compile]

FILE was written by heed: weights and inputs (safetensors), the sizes, and the name of the function
in twins.py that computes the same. The results are written for bench/agreement.h.
"""
import argparse
import json
import pathlib
import struct
import sys

import torch

import twins

sys.path.append(str(pathlib.Path(__file__).parents[1]))
import protocol  # noqa: E402


def load(path):
    """The tensors and the metadata of a safetensors file."""
    with open(path, "rb") as f:
        header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
        data = bytearray(f.read())
    facts = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        numbers = torch.frombuffer(data[begin:end], dtype=torch.float32) if end > begin else torch.empty(0)
        tensors[name] = numbers.reshape(entry["shape"]).clone()
    return tensors, facts


def save(path, tensors):
    """Writes float32 tensors as a safetensors file."""
    header, begin = {}, 0
    for name, x in tensors.items():
        end = begin + 4 * x.numel()
        header[name] = {"dtype": "F32", "shape": list(x.shape), "data_offsets": [begin, end]}
        begin = end
    text = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for x in tensors.values():
            f.write(x.detach().float().contiguous().numpy().tobytes())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("threads", type=int)
    parser.add_argument("--results", default="")
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    before = protocol.peak_bytes()
    tensors, facts = load(options.file)
    kind = facts.pop("kind")
    sizes = {name: int(size) for name, size in facts.items()}
    with torch.inference_mode(kind in twins.WITHOUT_GRADIENTS):
        results, step = getattr(twins, kind)(twins.Weights(tensors), sizes, options.compile)
        if options.results:
            save(options.results, results())
        protocol.serve(step, before)


if __name__ == "__main__":
    main()
