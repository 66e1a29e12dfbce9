"""The files of bench/workload.h, for programs that have no reader of their own."""
import json
import struct

import numpy as np


def load(path):
    """The tensors, float32, and the metadata of a safetensors file."""
    with open(path, "rb") as f:
        header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
        data = f.read()
    facts = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(data[begin:end], np.float32).reshape(entry["shape"]).copy()
    return tensors, facts


def save(path, tensors):
    header, parts, begin = {}, [], 0
    for name, x in tensors.items():
        parts.append(np.ascontiguousarray(x, np.float32).tobytes())
        end = begin + len(parts[-1])
        header[name] = {"dtype": "F32", "shape": list(np.shape(x)), "data_offsets": [begin, end]}
        begin = end
    text = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(parts))
