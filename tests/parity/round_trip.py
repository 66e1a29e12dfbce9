"""Loads a file of ours into PyTorch, strictly, and writes what PyTorch's module then computes.

    python round_trip.py OURS.safetensors OUT.safetensors

OURS holds a Transformer of width 4, 2 heads, 2 + 1 layers, hidden width 6; its inputs are those of
transformer.safetensors. OUT gets the output, and the state_dict as PyTorch has it now.
"""

import pathlib
import sys

import torch
from safetensors.torch import load_file, save_file
from torch import nn

torch.set_default_dtype(torch.float64)
ours, out = sys.argv[1:]
inputs = load_file(pathlib.Path(__file__).parent / "transformer.safetensors")
model = nn.Transformer(4, 2, 2, 1, 6, dropout=0.0, batch_first=True)
model.load_state_dict(load_file(ours))
future = torch.ones(3, 3, dtype=torch.bool).triu(1)
y = model(inputs["input.x"], inputs["input.y"], tgt_mask=future)
state = {"state." + key: value for key, value in model.state_dict().items()}
save_file({"output": y.detach(), **state}, out)
