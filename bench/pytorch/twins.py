"""The workloads of bench/ in PyTorch, each written as fast as ordinary PyTorch code allows.

A twin takes the tensors and sizes that heed saved, and whether to compile. It returns two
functions: the results that heed must have too (a dictionary of tensors, with heed's names), and the
step that is timed. A twin whose kind is in WITHOUT_GRADIENTS is called in inference_mode(), which is
entered once, outside of what is timed.
"""
import torch
import torch.nn.functional as F
from torch import nn

WITHOUT_GRADIENTS = {"gemm", "gpt_forward", "bert_forward", "decoding"}


class Weights:
    """The tensors of heed by name, and which parameter of a twin holds which of them."""

    def __init__(self, tensors):
        self.tensors = tensors
        self.holders = []

    def __getitem__(self, name):
        return self.tensors[name]

    def copy(self, parameter, *names):
        """Fills a parameter with one tensor, or with several, one below the other."""
        numbers = torch.cat([self.tensors[name] for name in names])
        with torch.no_grad():
            parameter.copy_(numbers.reshape(parameter.shape))
        self.holders.append((parameter, names))

    def by_name(self, prefix, value):
        """value(parameter) of all parameters, taken apart again, with the names and shapes of heed."""
        parts = {}
        for parameter, names in self.holders:
            rows = [self.tensors[name].shape for name in names]
            whole = value(parameter).reshape(sum(r[0] for r in rows), *rows[0][1:])
            for name, part in zip(names, whole.split([r[0] for r in rows])):
                parts[prefix + name] = part.clone()
        return parts


# --- single operations ----------------------------------------------------------------------------


def gemm(t, sizes, compiled):
    x, w = t["x"], t["w"]

    def step():
        return F.linear(x, w)

    return lambda: {"output": step()}, step


def one_element(t, sizes, compiled):
    w, x = t["w"].requires_grad_(), t["x"]

    def chain():
        y = x
        for i in range(sizes["count"]):
            y = y + w if i % 2 else y * w
        return y

    def step():
        w.grad = None
        chain().sum().backward()

    def results():
        step()
        return {"output": chain(), "gradient of w": w.grad}

    return results, step


def differentiated(t, names, function, compared=None):
    """Forward and backward of a function of tensors, from the gradient "g" of its output."""
    x = [t[name].requires_grad_() for name in names]
    g = t["g"]

    def results():
        y = (compared or function)(*x)
        gradients = torch.autograd.grad(y, x, g)
        return {"output": y, **{"gradient of " + n: d for n, d in zip(names, gradients)}}

    return results, lambda: torch.autograd.grad(function(*x), x, g)


def turns_of_positions(length, width):
    """The rotations of rotary positions as complex numbers, [length, width / 2]."""
    angles = torch.arange(length)[:, None] * 10000 ** (-torch.arange(0, width, 2) / width)
    return torch.polar(torch.ones_like(angles), angles)


def rotated(x, turns):
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * turns).flatten(-2)


def attention(t, sizes, compiled):
    length, width = t["q"].shape[-2:]
    causal, dropout = bool(sizes["causal"]), sizes["dropout_percent"] / 100
    turns = turns_of_positions(length, width)
    mask = None
    if sizes["padded"]:
        mask = torch.ones(2, 1, 1, length, dtype=torch.bool)
        mask[1, :, :, length // 3 :] = False

    def attend(q, k, v, probability=dropout):
        if sizes["rotary"]:
            q, k = rotated(q, turns), rotated(k, turns)
        return F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, dropout_p=probability, is_causal=causal
        )

    return differentiated(t, "qkv", attend, lambda q, k, v: attend(q, k, v, 0.0))


def convolution(t, sizes, compiled):
    return differentiated(
        t, ("x", "w", "b"), lambda x, w, b: F.conv2d(x, w, b, padding=sizes["padding"])
    )


def max_pool(t, sizes, compiled):
    return differentiated(t, ("x",), lambda x: F.max_pool2d(x, 2))


def avg_pool(t, sizes, compiled):
    return differentiated(t, ("x",), lambda x: F.avg_pool2d(x, 2))


def batch_norm(t, sizes, compiled):
    mean, var = torch.zeros_like(t["weight"]), torch.ones_like(t["weight"])
    return differentiated(
        t,
        ("x", "weight", "bias"),
        lambda x, weight, bias: F.batch_norm(x, mean, var, weight, bias, training=True),
    )


# --- training steps -------------------------------------------------------------------------------


def training(model, weights, loss, optimiser, compiled):
    """The training step of all models."""
    parameters = list(model.parameters())
    forward = torch.compile(loss) if compiled else loss

    def step():
        optimiser.zero_grad(set_to_none=True)
        forward().backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()

    def results():
        first = forward()
        first.backward()
        before = {p: p.detach().clone() for p in parameters}
        all = {"loss": first, **weights.by_name("gradient of ", lambda p: p.grad)}
        for _ in range(3):
            step()
        return {**all, **weights.by_name("change of ", lambda p: p.detach() - before[p])}

    return results, step


def tokens(t, name):
    return t[name].long()


class Mlp(nn.Module):
    def __init__(self, t):
        super().__init__()
        width = t["hidden.weight"].shape[0]
        self.hidden, self.output = nn.Linear(2, width), nn.Linear(width, 1)
        for name, parameter in self.named_parameters():
            t.copy(parameter, name)

    def forward(self, x):
        return self.output(torch.tanh(self.hidden(x)))


def mlp(t, sizes, compiled):
    model, x, target = Mlp(t), t["x"], t["t"]
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
    return training(
        model, t, lambda: F.binary_cross_entropy_with_logits(model(x), target), optimiser, compiled
    )


class Cnn(nn.Module):
    def __init__(self, t):
        super().__init__()
        width = t["conv1.weight"].shape[0]
        self.conv1 = nn.Conv2d(3, width, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.norm2 = nn.BatchNorm2d(2 * width)
        self.output = nn.Linear(2 * width, 10)
        for name, parameter in self.named_parameters():
            t.copy(parameter, name)

    def forward(self, x):
        y = torch.relu(self.norm1(self.conv1(x)))
        y = torch.relu(self.norm2(self.conv2(F.max_pool2d(y, 2))))
        return self.output(F.max_pool2d(y, 2).mean((2, 3)))


def cnn(t, sizes, compiled):
    model, x, labels = Cnn(t), t["x"], tokens(t, "labels").flatten()
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
    return training(model, t, lambda: F.cross_entropy(model(x), labels), optimiser, compiled)


class Translator(nn.Module):
    """A bidirectional GRU encoder, and a GRU decoder with additive attention."""

    def __init__(self, t, width, vocabulary):
        super().__init__()
        self.source_embedding = nn.Embedding(vocabulary, width)
        self.encoder = nn.GRU(width, width // 2, batch_first=True, bidirectional=True)
        self.embedding = nn.Embedding(vocabulary, width)
        self.initial = nn.Linear(width, width)
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.v = nn.Linear(width, 1, bias=False)
        self.cell = nn.GRUCell(2 * width, width)
        self.readout = nn.Linear(3 * width, width)
        self.output = nn.Linear(width, vocabulary)
        for name, parameter in self.named_parameters():
            t.copy(parameter, self.name_in_file(name))

    @staticmethod
    def name_in_file(name):
        """The name of a parameter in the file of heed."""
        part, rest = name.split(".", 1)
        return {
            "source_embedding": "encoder.embedding." + rest,
            "encoder": "encoder.layers." + rest,
            "initial": "decoder.initial." + rest,
            "query": "decoder.attention.score.query." + rest,
            "key": "decoder.attention.score.key." + rest,
            "v": "decoder.attention.score.v",
            "cell": "decoder.cell." + rest,
            "readout": "decoder.readout." + rest,
        }.get(part, name)

    def forward(self, source, target):
        states, last = self.encoder(self.source_embedding(source))  # [B, K, H]
        state = torch.tanh(self.initial(torch.cat((last[0], last[1]), -1)))
        keys, embedded = self.key(states), self.embedding(target)
        hidden, contexts = [], []
        for y in embedded.unbind(1):
            scores = self.v(torch.tanh(self.query(state).unsqueeze(1) + keys))  # [B, K, 1]
            weights = torch.softmax(scores, 1)
            context = (weights * states).sum(1)
            state = self.cell(torch.cat((y, context), -1), state)
            hidden.append(state)
            contexts.append(context)
        features = torch.cat((torch.stack(hidden, 1), torch.stack(contexts, 1), embedded), -1)
        return self.output(torch.tanh(self.readout(features)))


def translator(t, sizes, compiled):
    model = Translator(t, sizes["width"], sizes["vocabulary"])
    source, target_in, target_out = (tokens(t, n) for n in ("source", "target_in", "target_out"))
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)

    def loss():
        return F.cross_entropy(model(source, target_in).flatten(0, 1), target_out.flatten())

    return training(model, t, loss, optimiser, compiled)


class Block(nn.Module):
    """A layer of a Transformer, query, key and value in one product."""

    def __init__(self, t, prefix, width, heads, eps=1e-5):
        super().__init__()
        self.heads, self.dropout, self.turns = heads, 0.0, None
        self.norm1, self.norm2 = nn.LayerNorm(width, eps), nn.LayerNorm(width, eps)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        names = {
            "norm1": "attention_norm",
            "norm2": "feed_forward_norm",
            "proj": "attention.output",
            "up": "feed_forward.hidden",
            "down": "feed_forward.output",
        }
        for name, parameter in self.named_parameters():
            part, rest = name.split(".")
            if part == "qkv":
                parts = ("query", "key", "value")
                t.copy(parameter, *(f"{prefix}attention.{p}.{rest}" for p in parts))
            else:
                t.copy(parameter, f"{prefix}{names[part]}.{rest}")

    def attend(self, x, causal, cache=None, position=0):
        b, n, d = x.shape
        q, k, v = self.qkv(x).split(d, dim=2)
        q, k, v = (y.view(b, n, self.heads, d // self.heads).transpose(1, 2) for y in (q, k, v))
        if self.turns is not None:
            q, k = rotated(q, self.turns), rotated(k, self.turns)
        if cache is not None:
            cache[0][:, :, position : position + n] = k
            cache[1][:, :, position : position + n] = v
            k, v = cache[0][:, :, : position + n], cache[1][:, :, : position + n]
        y = F.scaled_dot_product_attention(
            q, k, v, dropout_p=self.dropout, is_causal=causal and n > 1
        )
        return self.proj(y.transpose(1, 2).reshape(b, n, d))


class GptBlock(Block):
    """Pre-norm, as in GPT-2."""

    def forward(self, x, cache=None, position=0):
        x = x + F.dropout(self.attend(self.norm1(x), True, cache, position), self.dropout)
        hidden = F.gelu(self.up(self.norm2(x)), approximate="tanh")
        return x + F.dropout(self.down(hidden), self.dropout)


class BertBlock(Block):
    """Post-norm, and the exact GELU."""

    def forward(self, x):
        x = self.norm1(x + self.attend(x, False))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Gpt(nn.Module):
    def __init__(self, t, layers, heads, rotary_length=0):
        super().__init__()
        vocabulary, width = t["embedding.weight"].shape
        self.embedding, self.positions, self.dropout = nn.Embedding(vocabulary, width), None, 0.0
        t.copy(self.embedding.weight, "embedding.weight")
        if not rotary_length:
            self.positions = nn.Embedding(t["positions.table"].shape[0], width)
            t.copy(self.positions.weight, "positions.table")
        self.blocks = nn.ModuleList(
            GptBlock(t, f"decoder.layers.{i}.", width, heads) for i in range(layers)
        )
        self.norm = nn.LayerNorm(width)
        for name, parameter in self.norm.named_parameters():
            t.copy(parameter, "decoder.norm." + name)
        for block in self.blocks if rotary_length else []:
            block.turns = turns_of_positions(rotary_length, width // heads)

    def drop(self, probability):
        for part in (self, *self.blocks):
            part.dropout = probability

    def forward(self, ids, caches=None, position=0):
        x = self.embedding(ids)
        if self.positions:
            x = x + self.positions.weight[position : position + ids.shape[1]]
        x = F.dropout(x, self.dropout)
        for i, block in enumerate(self.blocks):
            x = block(x, caches[i] if caches else None, position)
        return F.linear(self.norm(x), self.embedding.weight)


def gpt(t, sizes, compiled):
    ids, targets = tokens(t, "in"), tokens(t, "out")
    model = Gpt(t, sizes["layers"], sizes["heads"], ids.shape[1] if sizes["rotary"] else 0)
    dropout = sizes["dropout_percent"] / 100
    groups = [
        {"params": [p for p in model.parameters() if p.dim() >= 2], "weight_decay": 0.1},
        {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.99), fused=True)

    def loss():
        return F.cross_entropy(model(ids).flatten(0, 1), targets.flatten())

    model.drop(dropout)
    results, step = training(model, t, loss, optimiser, compiled)

    def compared():
        model.drop(0.0)
        all = results()
        model.drop(dropout)
        return all

    return compared, step


def forward_pass(model, compiled):
    """A model's output, and the forward pass that is timed."""
    forward = torch.compile(model) if compiled else model
    return lambda: {"output": forward()}, forward


def gpt_forward(t, sizes, compiled):
    model, ids = Gpt(t, sizes["layers"], sizes["heads"]), tokens(t, "in")
    return forward_pass(lambda: model(ids), compiled)


class Bert(nn.Module):
    def __init__(self, t, layers, heads):
        super().__init__()
        self.t = {name: t["embeddings." + name] for name in
                  ("token.weight", "segment.weight", "positions.table")}
        width, eps = self.t["token.weight"].shape[1], 1e-12
        self.norm = nn.LayerNorm(width, eps)
        self.blocks = nn.ModuleList(
            BertBlock(t, f"encoder.layers.{i}.", width, heads, eps) for i in range(layers)
        )
        self.pooler = nn.Linear(width, width)
        for layer, name in (self.norm, "embeddings.norm."), (self.pooler, "pooler."):
            for part, parameter in layer.named_parameters():
                t.copy(parameter, name + part)

    def forward(self, ids):
        x = F.embedding(ids, self.t["token.weight"]) + self.t["segment.weight"][0]
        x = self.norm(x + self.t["positions.table"][: ids.shape[1]])
        for block in self.blocks:
            x = block(x)
        return torch.cat((x.flatten(), torch.tanh(self.pooler(x[:, 0])).flatten()))


def bert_forward(t, sizes, compiled):
    model, ids = Bert(t, sizes["layers"], sizes["heads"]), tokens(t, "ids")
    return forward_pass(lambda: model(ids), compiled)


def decoding(t, sizes, compiled):
    model = Gpt(t, sizes["layers"], sizes["heads"])
    length, width = t["positions.table"].shape
    heads, layers = sizes["heads"], sizes["layers"]
    forward = torch.compile(model) if compiled else model

    def step():
        caches = [torch.empty(2, 1, heads, length, width // heads) for _ in range(layers)]
        token, total, chosen = torch.zeros(1, 1, dtype=torch.long), torch.zeros(()), []
        for position in range(sizes["tokens"]):
            logs = torch.log_softmax(forward(token, caches, position)[0, -1], -1)
            best = logs.argmax()
            total += logs[best]
            token = best.reshape(1, 1)
            chosen.append(best)
        return {"tokens": torch.stack(chosen), "log-probability": total.reshape(1)}

    return step, step
