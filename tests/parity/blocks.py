#!/usr/bin/env python3
"""Writes blocks.gguf, tensors of all the types of GGUF that heed reads, and blocks.safetensors, the numbers
that the package `gguf` makes of them. Its settings have a value of each kind.

    python tests/parity/blocks.py      in the folder tests/parity
"""
import gguf
import numpy as np
from gguf import GGMLQuantizationType as T
from safetensors.numpy import save_file

rng = np.random.default_rng(1)
writer = gguf.GGUFWriter("blocks.gguf", "test")
writer.add_uint8("test.u8", 200)
writer.add_int8("test.i8", -100)
writer.add_uint16("test.u16", 60000)
writer.add_int16("test.i16", -30000)
writer.add_uint32("test.u32", 4000000000)
writer.add_int32("test.i32", -2000000000)
writer.add_uint64("test.u64", 1 << 40)
writer.add_int64("test.i64", -(1 << 40))
writer.add_float32("test.f32", 0.5)
writer.add_float64("test.f64", 0.1)
writer.add_bool("test.truth", True)
writer.add_string("test.text", "나는")
writer.add_array("test.texts", ["a", "", "bc"])
writer.add_array("test.wholes", [3, -1, 4])
writer.add_array("test.numbers", [0.5, 0.25])
values = {}
for kind in [T.F32, T.F16, T.BF16, T.Q8_0, T.Q4_0, T.Q4_1, T.Q4_K, T.Q6_K]:
    block, size = gguf.GGML_QUANT_SIZES[kind]
    columns = max(block, 32)
    name = kind.name.lower()
    if kind in (T.Q4_K, T.Q6_K):  # the package only reads them
        data = rng.integers(0, 256, (2, columns // block * size), dtype=np.uint8)
        for row in data:
            halves = rng.uniform(0.01, 0.1, 2).astype("<f2").view(np.uint8)
            if kind == T.Q4_K:
                row[:4] = halves
            else:
                row[-2:] = halves[:2]
    else:
        data = gguf.quants.quantize(rng.normal(size=(2, columns)).astype(np.float32), kind)
    writer.add_tensor(name, data, raw_dtype=kind)
    values[name] = gguf.quants.dequantize(data, kind).astype(np.float32).reshape(2, columns)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
save_file(values, "blocks.safetensors")
