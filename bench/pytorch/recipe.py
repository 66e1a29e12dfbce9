"""The small GPT of nanoGPT's README in PyTorch, for comparison with lesson 23.

    python3 recipe.py TEXT [SEED]
    ./heed learn 23 --data TEXT --seed SEED

Same sizes, batches, learning rates and clipping (nanoGPT's README, train.py, model.py). It prints
the loss, in nats per character, on the whole validation set, and 20 times on 20 random batches of it.
"""
import math
import statistics
import sys

import torch
import torch.nn.functional as F
from torch import nn

LAYERS, HEADS, WIDTH, CONTEXT, BATCH = 4, 4, 128, 64, 12
STEPS, WARM_UP, RATE, LAST_RATE = 2000, 100, 1e-3, 1e-4


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = (nn.LayerNorm(WIDTH, bias=False) for _ in range(2))
        self.qkv, self.proj = (nn.Linear(WIDTH, n * WIDTH, bias=False) for n in (3, 1))
        self.up = nn.Linear(WIDTH, 4 * WIDTH, bias=False)
        self.down = nn.Linear(4 * WIDTH, WIDTH, bias=False)

    def forward(self, x):
        b, t, d = x.shape
        heads = (y.view(b, t, HEADS, d // HEADS).transpose(1, 2)
                 for y in self.qkv(self.norm1(x)).split(d, dim=2))
        y = F.scaled_dot_product_attention(*heads, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Gpt(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.embedding, self.positions = (nn.Embedding(n, WIDTH) for n in (vocabulary, CONTEXT))
        self.blocks = nn.Sequential(*(Block() for _ in range(LAYERS)))
        self.norm = nn.LayerNorm(WIDTH, bias=False)
        for name, p in self.named_parameters():
            residual = name.endswith(("proj.weight", "down.weight"))
            if p.dim() == 2:
                nn.init.normal_(p, 0, 0.02 / math.sqrt(2 * LAYERS) if residual else 0.02)

    def loss(self, x, y):
        z = self.blocks(self.embedding(x) + self.positions.weight[: x.shape[1]])
        logits = F.linear(self.norm(z), self.embedding.weight)
        return F.cross_entropy(logits.flatten(0, 1), y.flatten())


def rate_at(step):
    if step < WARM_UP:
        return RATE * (step + 1) / (WARM_UP + 1)
    share = (step - WARM_UP) / (STEPS - WARM_UP)
    return LAST_RATE + (RATE - LAST_RATE) * (1 + math.cos(math.pi * share)) / 2


def draw(ids):
    """A batch of pieces, and the same pieces one character later."""
    at = torch.randint(len(ids) - CONTEXT, (BATCH,)).tolist()
    return (torch.stack([ids[i + shift : i + shift + CONTEXT] for i in at]) for shift in (0, 1))


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    number = {c: i for i, c in enumerate(sorted(set(text)))}
    ids = torch.tensor([number[c] for c in text])
    train, valid = ids[: int(0.9 * len(ids))], ids[int(0.9 * len(ids)) :]
    model = Gpt(len(number))
    print(sum(p.numel() for p in model.parameters()), "parameters")
    groups = [{"params": [p for p in model.parameters() if p.dim() == dim], "weight_decay": decay}
              for dim, decay in ((2, 0.1), (1, 0.0))]
    optimiser = torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.99))
    for step in range(STEPS):
        for group in optimiser.param_groups:
            group["lr"] = rate_at(step)
        loss = model.loss(*draw(train))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if (step + 1) % 500 == 0:
            print(f"step {step + 1}: {loss.item():.3f} on its batch", flush=True)
    with torch.no_grad():
        pieces = (len(valid) - 1) // CONTEXT
        x, y = (valid[s : s + pieces * CONTEXT].view(pieces, CONTEXT) for s in (0, 1))
        print(f"validation: {model.loss(x, y).item():.4f}")
        estimates = [statistics.mean(model.loss(*draw(valid)).item() for _ in range(20))
                     for _ in range(20)]
        print(f"20 random batches: {statistics.mean(estimates):.3f}"
              f" ± {statistics.stdev(estimates):.3f}")


if __name__ == "__main__":
    main()
