"""One workload in PyTorch, with the protocol of bench/worker.h.

    python3 worker.py FILE THREADS [--compile]

FILE was written by heed: weights and inputs (safetensors), the sizes, and the name of the function
in twins.py that computes the same.
"""
import json
import resource
import statistics
import struct
import sys
import time

import torch

import twins


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


def peak_bytes():
    """On Linux a process inherits ru_maxrss from its parent process, so /proc is read there."""
    try:
        with open("/proc/self/status") as status:
            return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main():
    path, threads = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    before = peak_bytes()
    tensors, facts = load(path)
    sizes = {name: int(size) for name, size in facts.items() if name != "kind"}
    loss, step = getattr(twins, facts["kind"])(tensors, sizes, "--compile" in sys.argv)
    print("ready", float(loss()), flush=True)
    for _ in range(3):
        step()  # warm-up

    for line in sys.stdin:
        if line.strip() == "end":
            print("memory", peak_bytes(), before, flush=True)
            return
        budget, times, spent = float(line.split()[1]), [], 0.0
        while spent < budget:
            start = time.perf_counter()
            step()
            times.append(time.perf_counter() - start)
            spent += times[-1]
        print("took", statistics.median(times), spent / len(times), flush=True)


if __name__ == "__main__":
    main()
