"""Random cases, computed by PyTorch and by heed, values and gradients compared.

    python tests/parity/random_cases.py DRIVER [--cases 3000] [--seed 1] [--only NAME] [--show 20]

DRIVER is the program `heed_parity` (cmake --build build/release --target heed_parity). Every case
draws an operation or a module, its shapes, dtype and arguments, masks and lengths, and how each
input lies in memory (transposed, sliced, in steps, flipped, expanded); one case in eight has extreme
values (0, 1e-30, 1e30, infinities, NaN). Prints the cases that agree and differ, the worst error in
units of rounding (of the largest number in the tensor), and the seed. What differs by design is in
the list BY_DESIGN, with the reason, and is counted apart.

Exit status: 0 if nothing differs, 1 if something does, 2 for a wrong call, 3 if PyTorch is not
installed: nothing was compared, which is not the same as agreement.
"""

import argparse
import collections
import math
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import torch
    from safetensors import safe_open
    from safetensors.torch import save_file
    from torch import nn
    from torch.nn import functional as F
except ImportError as error:
    print(f"skipped: nothing was compared, for PyTorch is not installed here ({error})")
    sys.exit(3)

torch.set_num_threads(1)
INF = math.inf


# --- inputs -----------------------------------------------------------------------------------------

class Drawn:
    """What a case draws: numbers from one generator, tensors with a view of them, and integers."""

    def __init__(self, rng):
        self.rng = rng
        self.dtype = rng.choice([torch.float64, torch.float32])
        self.extreme = rng.random() < 1 / 8
        self.bases, self.views, self.integers = [], [], []
        self.parameters = {}

    def size(self, low=1, high=7, wide=0.08):
        """Mostly small; now and then large enough for the packed kernels."""
        return self.rng.randint(30, 80) if self.rng.random() < wide else self.rng.randint(low, high)

    def shape(self, low=1, high=4):
        return [self.size() for _ in range(self.rng.randint(low, high))]

    def values(self, shape, low=None, high=None):
        g = torch.Generator().manual_seed(self.rng.getrandbits(40))
        if low is None:
            x = torch.randn(shape, generator=g, dtype=torch.float64)
        else:
            x = low + (high - low) * torch.rand(shape, generator=g, dtype=torch.float64)
        if self.extreme and x.numel():
            flat = x.view(-1)
            for _ in range(self.rng.randint(1, 3)):
                flat[self.rng.randrange(x.numel())] = self.rng.choice(
                    [0.0, -0.0, 1e-30, -1e-30, 1e30, -1e30, 100.0, -100.0, INF, -INF, math.nan])
        return x.to(self.dtype)

    def tensor(self, shape, low=None, high=None, expand=True):
        """A leaf whose view has this shape; returns the view. A norm of equal numbers multiplies
        rounding by 1 / √eps: for such inputs expand=False."""
        rng, shape, steps = self.rng, list(shape), []
        # The steps are undone one by one: from the wanted shape to that of the base.
        base = list(shape)
        for _ in range(rng.randint(0, 2)):
            kind = rng.choice(["transpose", "slice", "expand", "flip"])
            if not base:
                break
            a = rng.randrange(len(base))
            if kind == "transpose" and len(base) > 1:
                b = rng.randrange(len(base))
                base[a], base[b] = base[b], base[a]
                steps.insert(0, ("t", a, b))
            elif kind == "slice":
                step, begin, end = rng.choice([1, 1, 2, 3]), rng.randint(0, 2), rng.randint(0, 2)
                reach = (base[a] - 1) * step + 1 if base[a] else 0
                steps.insert(0, ("s", a, begin, begin + reach, step))
                base[a] = begin + reach + end
            elif kind == "expand" and base[a] > 1 and expand:
                steps.insert(0, ("e", a, base[a]))
                base[a] = 1
            elif kind == "flip":
                steps.insert(0, ("f", a))
        leaf = self.values(base, low, high).requires_grad_()
        self.bases.append(leaf)
        self.views.append(steps)
        x = leaf
        for kind, a, *rest in steps:
            if kind == "t":
                x = x.transpose(a, rest[0])
            elif kind == "s":
                x = x[(slice(None),) * a + (slice(rest[0], rest[1], rest[2]),)]
            elif kind == "e":
                sizes = list(x.shape)
                sizes[a] = rest[0]
                x = x.expand(sizes)
            else:
                x = x.flip(a)
        assert list(x.shape) == shape, (x.shape, shape, steps)
        return x

    def ints(self, values):
        t = torch.as_tensor(values)
        self.integers.append(t)
        return t

    def module(self, module):
        module = module.to(self.dtype)
        g = torch.Generator().manual_seed(self.rng.getrandbits(40))
        with torch.no_grad():
            for p in module.parameters():
                p.add_(0.2 * torch.randn(p.shape, generator=g, dtype=torch.float64).to(self.dtype))
        self.parameters = dict(module.named_parameters())
        return module


# --- operations: name -> draw(d) -> (arguments, result) ----------------------------------------------

CASES = {}


def case(name, weight=1):
    def register(draw):
        CASES[name] = (draw, weight)
        return draw
    return register


UNARY = {
    "neg": (torch.neg, None), "exp": (torch.exp, None), "log": (torch.log, (0.01, 5)),
    "sqrt": (torch.sqrt, (0.01, 5)), "rsqrt": (torch.rsqrt, (0.01, 5)),
    "square": (torch.square, None), "abs": (torch.abs, None), "sign": (torch.sign, None),
    "sin": (torch.sin, None), "cos": (torch.cos, None), "tanh": (torch.tanh, None),
    "sigmoid": (torch.sigmoid, None), "relu": (torch.relu, None),
    "softplus": (F.softplus, None), "erf": (torch.erf, None), "gelu": (F.gelu, None),
    "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh"), None), "silu": (F.silu, None),
    "log1p": (torch.log1p, (-0.9, 5)), "expm1": (torch.expm1, None),
    "reciprocal": (torch.reciprocal, (0.1, 3)), "tan": (torch.tan, (-1.4, 1.4)),
    "asin": (torch.asin, (-0.95, 0.95)), "acos": (torch.acos, (-0.95, 0.95)),
    "atan": (torch.atan, None), "sinh": (torch.sinh, None), "cosh": (torch.cosh, None),
    "floor": (torch.floor, (-5, 5)), "ceil": (torch.ceil, (-5, 5)),
    "round": (torch.round, (-5, 5)), "log_sigmoid": (F.logsigmoid, None),
}
for _name, (_f, _range) in UNARY.items():
    def _draw(d, f=_f, between=_range):
        return {}, f(d.tensor(d.shape(), *(between or ())))
    case(_name, 0.5)(_draw)


@case("leaky_relu")
def leaky_relu(d):
    slope = d.rng.choice([0.01, 0.3])
    return {"slope": slope}, F.leaky_relu(d.tensor(d.shape()), slope)


@case("elu")
def elu(d):
    alpha = d.rng.choice([1.0, 0.5])
    return {"alpha": alpha}, F.elu(d.tensor(d.shape()), alpha)


@case("clamp")
def clamp(d):
    return {"low": -0.5, "high": 0.75}, torch.clamp(d.tensor(d.shape()), -0.5, 0.75)


@case("power")
def power(d):
    p = d.rng.choice([-1.0, 0.5, 1.0, 2.0, 3.0, 2.5])
    between = (None, None) if p in (1.0, 2.0, 3.0) else (0.1, 3)
    return {"p": p}, torch.pow(d.tensor(d.shape(), *between), p)


def broadcast(d):
    shape = d.shape()
    parts = []
    for _ in range(2):
        part = [1 if d.rng.random() < 0.25 else n for n in shape]
        parts.append(part[d.rng.randint(0, len(part) - 1):] if d.rng.random() < 0.3 else part)
    return parts


BINARY = {
    "add": (torch.add, None), "sub": (torch.sub, None), "mul": (torch.mul, None),
    "div": (torch.div, (0.3, 3)), "maximum": (torch.maximum, None),
    "minimum": (torch.minimum, None), "atan2": (torch.atan2, (0.3, 3)), "pow": (torch.pow, (0.3, 3)),
    "logaddexp": (torch.logaddexp, None),
}
for _name, (_f, _range) in BINARY.items():
    def _draw(d, f=_f, between=_range):
        a, b = broadcast(d)
        return {}, f(d.tensor(a, *(between or ())), d.tensor(b, *(between or ())))
    case(_name)(_draw)


def axes_of(d, x):
    """Some axes or all, and keepdim, as arguments and as PyTorch wants them."""
    n = x.dim()
    axes = sorted(d.rng.sample(range(n), d.rng.randint(1, n)))
    keep = d.rng.random() < 0.5
    return {"axes": axes, "keepdim": int(keep)}, dict(dim=axes, keepdim=keep)


REDUCTIONS = {
    "sum": torch.sum, "mean": torch.mean, "amax": torch.amax, "amin": torch.amin,
    "logsumexp": torch.logsumexp,
}
for _name, _f in REDUCTIONS.items():
    def _draw(d, f=_f):
        x = d.tensor(d.shape())
        args, torchs = axes_of(d, x)
        return args, f(x, **torchs)
    case(_name)(_draw)


@case("var")
def var(d):
    x = d.tensor([d.rng.randint(2, 6) for _ in range(d.rng.randint(1, 3))])
    args, torchs = axes_of(d, x)
    args["correction"] = d.rng.randint(0, 1)
    return args, torch.var(x, correction=args["correction"], **torchs)


@case("stddev")
def stddev(d):
    x = d.tensor([d.rng.randint(2, 6) for _ in range(d.rng.randint(1, 3))])
    args, torchs = axes_of(d, x)
    args["correction"] = d.rng.randint(0, 1)
    return args, torch.std(x, correction=args["correction"], **torchs)


@case("norm")
def norm(d):
    x = d.tensor(d.shape())
    args, torchs = axes_of(d, x)
    args["p"] = d.rng.choice([1.0, 2.0, 3.0])
    return args, torch.linalg.vector_norm(x, args["p"], **torchs)


@case("prod")
def prod(d):
    x = d.tensor([d.rng.randint(1, 5) for _ in range(d.rng.randint(1, 3))])
    axis = d.rng.randrange(x.dim())
    return {"axis": axis}, torch.prod(x, axis)


@case("cumsum")
def cumsum(d):
    x = d.tensor(d.shape())
    axis = d.rng.randrange(x.dim())
    return {"axis": axis}, torch.cumsum(x, axis)


for _name, _f in {"softmax": torch.softmax, "log_softmax": torch.log_softmax}.items():
    def _draw(d, f=_f):
        x = d.tensor(d.shape())
        axis = d.rng.randrange(x.dim())
        return {"axis": axis}, f(x, axis)
    case(_name, 2)(_draw)


@case("sort")
def sort(d):
    x = d.tensor(d.shape())
    axis, descending = d.rng.randrange(x.dim()), d.rng.random() < 0.5
    return ({"axis": axis, "descending": int(descending)},
            torch.sort(x, dim=axis, descending=descending, stable=True).values)


@case("topk")
def topk(d):
    x = d.tensor(d.shape())
    axis, largest = d.rng.randrange(x.dim()), d.rng.random() < 0.5
    k = d.rng.randint(1, x.shape[axis])
    return ({"axis": axis, "k": k, "largest": int(largest)},
            torch.topk(x, k, dim=axis, largest=largest).values)


@case("concat")
def concat(d):
    shape = d.shape()
    axis, parts = d.rng.randrange(len(shape)), []
    for _ in range(d.rng.randint(1, 3)):
        shape[axis] = d.size()
        parts.append(d.tensor(shape))
    return {"axis": axis}, torch.cat(parts, axis)


@case("stack")
def stack(d):
    shape = d.shape(1, 3)
    axis = d.rng.randint(0, len(shape))
    return {"axis": axis}, torch.stack([d.tensor(shape) for _ in range(d.rng.randint(1, 3))], axis)


@case("flatten")
def flatten(d):
    return {}, d.tensor(d.shape()).reshape(-1)


@case("roll")
def roll(d):
    x = d.tensor(d.shape())
    axis, shift = d.rng.randrange(x.dim()), d.rng.randint(-4, 4)
    return {"axis": axis, "shift": shift}, torch.roll(x, shift, axis)


@case("tril")
def tril(d):
    diagonal = d.rng.randint(-2, 2)
    return {"d": diagonal}, torch.tril(d.tensor(d.shape(2, 4)), diagonal)


@case("triu")
def triu(d):
    diagonal = d.rng.randint(-2, 2)
    return {"d": diagonal}, torch.triu(d.tensor(d.shape(2, 4)), diagonal)


@case("where")
def where(d):
    shape = d.shape()
    a, b = d.tensor(shape), d.tensor(shape)
    mask = d.ints([[d.rng.randint(0, 1)] for _ in range(a.numel())]).reshape(shape)
    d.integers[-1] = mask
    return {}, torch.where(mask.bool(), a, b)


@case("index_select")
def index_select(d):
    x = d.tensor(d.shape())
    axis = d.rng.randrange(x.dim())
    ids = d.ints([d.rng.randrange(x.shape[axis]) for _ in range(d.rng.randint(1, 6))])
    return {"axis": axis}, torch.index_select(x, axis, ids)


@case("embedding")
def embedding(d):
    rows = d.size(2)
    table = d.tensor([rows, d.size()])
    ids = d.ints([[d.rng.randrange(rows) for _ in range(3)] for _ in range(d.rng.randint(1, 5))])
    return {}, F.embedding(ids, table)


@case("matmul", 6)
def matmul(d):
    m, n, k = d.size(wide=0.3), d.size(wide=0.3), d.size(wide=0.3)
    batch = [d.rng.randint(1, 3) for _ in range(d.rng.randint(0, 2))]
    one = [1 if d.rng.random() < 0.3 else b for b in batch]
    return {}, torch.matmul(d.tensor(batch + [m, k]), d.tensor(one + [k, n]))


@case("linear", 4)
def linear(d):
    i, o = d.size(wide=0.3), d.size(wide=0.3)
    inputs = [d.tensor(d.shape(1, 3)[:-1] + [i]), d.tensor([o, i])]
    if d.rng.random() < 0.6:
        inputs.append(d.tensor([o]))
    return {}, F.linear(*inputs)


@case("einsum", 2)
def einsum(d):
    formula, letters = d.rng.choice([
        ("bij,bjk->bik", 4), ("ij,jk,kl->il", 4), ("ij,ij->", 2), ("bij,kj->bki", 4),
        ("ijk->ki", 3), ("i,j->ij", 2), ("bqd,bkd->bqk", 0), ("iji->j", 2)])
    size = collections.defaultdict(d.size)
    xs = [d.tensor([size[c] for c in part]) for part in formula.split("->")[0].split(",")]
    return {"formula": formula}, torch.einsum(formula, *xs)


@case("layer_norm", 4)
def layer_norm(d):
    width = d.size(4, wide=0.3)
    inputs = [d.tensor(d.shape(1, 3)[:-1] + [width], expand=False)]
    if d.rng.random() < 0.7:
        inputs += [d.tensor([width]), d.tensor([width])]
    return {}, F.layer_norm(inputs[0], [width], *inputs[1:], eps=1e-5)


@case("cross_entropy", 6)
def cross_entropy(d):
    rows, classes = d.size(wide=0.2), d.size(2, wide=0.3)
    logits = d.tensor([rows, classes])
    labels = [d.rng.randrange(classes) for _ in range(rows)]
    if rows > 1:
        labels = [-100 if i and d.rng.random() < 0.2 else y for i, y in enumerate(labels)]
    smoothing = d.rng.choice([0.0, 0.0, 0.1])
    reduction = d.rng.choice(["mean", "sum", "none"])
    return ({"smoothing": smoothing, "reduction": reduction},
            F.cross_entropy(logits, d.ints(labels), label_smoothing=smoothing, reduction=reduction))


LOSSES = {
    "mse": F.mse_loss, "l1_loss": F.l1_loss,
    "huber_loss": lambda x, t, reduction: F.huber_loss(x, t, delta=0.7, reduction=reduction),
    "bce_with_logits": F.binary_cross_entropy_with_logits,
}
for _name, _f in LOSSES.items():
    def _draw(d, f=_f):
        shape, reduction = d.shape(), d.rng.choice(["mean", "sum", "none"])
        return {"reduction": reduction}, f(d.tensor(shape), d.tensor(shape), reduction=reduction)
    case(_name)(_draw)


@case("conv2d", 3)
def conv2d(d):
    groups = d.rng.choice([1, 1, 2])
    kernel = [d.rng.randint(1, 3), d.rng.randint(1, 3)]
    o = {"groups": groups, "stride": d.rng.randint(1, 2), "padding": d.rng.randint(0, 2),
         "dilation": d.rng.randint(1, 2)}
    channels, out = groups * d.rng.randint(1, 4), groups * d.rng.randint(1, 4)
    inputs = [d.tensor([d.rng.randint(1, 3), channels, d.rng.randint(5, 9), d.rng.randint(5, 9)]),
              d.tensor([out, channels // groups] + kernel)]
    if d.rng.random() < 0.6:
        inputs.append(d.tensor([out]))
    return o, F.conv2d(*inputs, **o)


@case("max_pool2d", 2)
def max_pool2d(d):
    o = {"kernel": d.rng.randint(2, 3), "stride": d.rng.randint(1, 3), "padding": d.rng.randint(0, 1)}
    x = d.tensor([d.rng.randint(1, 3), d.rng.randint(1, 3), d.rng.randint(4, 8), d.rng.randint(4, 8)])
    return o, F.max_pool2d(x, o["kernel"], o["stride"], o["padding"])


@case("avg_pool2d", 2)
def avg_pool2d(d):
    o = {"kernel": d.rng.randint(2, 3), "stride": d.rng.randint(1, 3), "padding": d.rng.randint(0, 1)}
    x = d.tensor([d.rng.randint(1, 3), d.rng.randint(1, 3), d.rng.randint(4, 8), d.rng.randint(4, 8)])
    return o, F.avg_pool2d(x, o["kernel"], o["stride"], o["padding"])


@case("scaled_dot_product_attention", 10)
def attention(d):
    batch, heads = d.rng.randint(1, 2), d.rng.randint(1, 3)
    queries, keys = d.size(wide=0.25), d.size(wide=0.25)
    width, values = d.size(wide=0.2), d.size(wide=0.2)
    causal = d.rng.random() < 0.3
    if causal:
        queries = keys  # PyTorch aligns a rectangular causal mask at the other corner
    args = {"causal": int(causal)}
    q = d.tensor([batch, heads, queries, width])
    k = d.tensor([batch, heads, keys, width])
    v = d.tensor([batch, heads, keys, values])
    mask = None
    if not causal and d.rng.random() < 0.6:
        # A row of the mask may be empty: then the context is 0.
        shape = d.rng.choice([[batch, 1, 1, keys], [queries, keys], [batch, heads, queries, keys]])
        n = math.prod(shape)
        mask = d.ints([int(d.rng.random() < 0.7) for _ in range(n)]).reshape(shape)
        d.integers[-1] = mask
        mask = mask.bool()
        if not mask.expand(batch, heads, queries, keys).any(-1).all():
            # PyTorch's row without an allowed key: 0, by its definition with 0 as weights.
            weights = (q @ k.transpose(-1, -2) / math.sqrt(width)).masked_fill(~mask, -INF)
            empty = ~mask.expand(weights.shape).any(-1, keepdim=True)
            weights = torch.softmax(weights.masked_fill(empty, 0), -1).masked_fill(empty, 0)
            return args, weights @ v
    if d.rng.random() < 0.3:
        args["scale"] = 0.37
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        return args, F.scaled_dot_product_attention(q, k, v, mask, is_causal=causal,
                                                    scale=args.get("scale"))


# --- modules ------------------------------------------------------------------------------------------

@case("recurrent", 8)
def recurrent(d):
    kind = d.rng.choice(["rnn_tanh", "rnn_relu", "gru", "lstm"])
    width, hidden = d.size(wide=0.2), d.size(wide=0.2)
    batch, steps = d.rng.randint(1, 4), d.rng.randint(1, 6)
    layers, both, bias = d.rng.randint(1, 2), d.rng.random() < 0.5, d.rng.random() < 0.8
    options = dict(num_layers=layers, bidirectional=both, bias=bias, batch_first=True)
    make = {"rnn_tanh": nn.RNN, "rnn_relu": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}[kind]
    if kind == "rnn_relu":
        options["nonlinearity"] = "relu"
    m = d.module(make(width, hidden, **options))
    x = d.tensor([batch, steps, width])
    args = {"kind": kind, "layers": layers, "both": int(both), "bias": int(bias), "width": width,
            "hidden": hidden, "initial": int(d.rng.random() < 0.5),
            "final": int(d.rng.random() < 0.5)}
    state = None
    if args["initial"]:
        cells = layers * (2 if both else 1)
        state = d.tensor([cells, batch, hidden])
        if kind == "lstm":
            state = (state, d.tensor([cells, batch, hidden]))
    if d.rng.random() < 0.5:
        lengths = d.ints([d.rng.randint(1, steps) for _ in range(batch)])
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, True, enforce_sorted=False)
        output, final = m(packed, state)
        output = nn.utils.rnn.pad_packed_sequence(output, True, total_length=steps)[0]
    else:
        output, final = m(x, state)
    parts = [output]
    if args["final"]:
        parts += list(final) if kind == "lstm" else [final]
    return args, torch.cat([p.reshape(-1) for p in parts])


@case("multi_head", 4)
def multi_head(d):
    heads = d.rng.randint(1, 4)
    width = heads * d.size(1, 5, wide=0.15)
    kdim, vdim = (d.size(), d.size()) if d.rng.random() < 0.3 else (width, width)
    bias = d.rng.random() < 0.7
    m = d.module(nn.MultiheadAttention(width, heads, bias=bias, kdim=kdim, vdim=vdim,
                                       batch_first=True))
    batch, queries, keys = d.rng.randint(1, 3), d.size(wide=0.1), d.size(wide=0.1)
    q, k, v = (d.tensor([batch, queries, width]), d.tensor([batch, keys, kdim]),
               d.tensor([batch, keys, vdim]))
    padding = None
    if d.rng.random() < 0.5:
        lengths = d.ints([d.rng.randint(1, keys) for _ in range(batch)])
        padding = torch.arange(keys)[None, :] >= lengths[:, None]
    return ({"heads": heads, "width": width, "kdim": kdim, "vdim": vdim, "bias": int(bias)},
            m(q, k, v, key_padding_mask=padding, need_weights=False)[0])


@case("encoder_layer", 3)
def encoder_layer(d):
    heads = d.rng.randint(1, 3)
    width, hidden = heads * d.size(4, 6, wide=0.1), d.size(2)
    pre, gelu = d.rng.random() < 0.5, d.rng.random() < 0.5
    m = d.module(nn.TransformerEncoderLayer(
        width, heads, hidden, dropout=0.0, norm_first=pre, batch_first=True,
        activation="gelu" if gelu else "relu"))
    batch, steps = d.rng.randint(1, 3), d.size(2, wide=0.1)
    x = d.tensor([batch, steps, width], expand=False)
    causal = d.rng.random() < 0.5
    mask = torch.ones(steps, steps, dtype=torch.bool).triu(1) if causal else None
    return ({"heads": heads, "width": width, "hidden": hidden, "pre": int(pre), "gelu": int(gelu),
             "causal": int(causal)}, m(x, src_mask=mask))


@case("decoder_layer", 3)
def decoder_layer(d):
    heads = d.rng.randint(1, 3)
    width, hidden = heads * d.size(4, 6, wide=0.1), d.size(2)
    pre = d.rng.random() < 0.5
    m = d.module(nn.TransformerDecoderLayer(width, heads, hidden, dropout=0.0, norm_first=pre,
                                            batch_first=True))
    batch, steps, keys = d.rng.randint(1, 3), d.size(2, wide=0.1), d.size(2, wide=0.1)
    x, memory = d.tensor([batch, steps, width], expand=False), d.tensor([batch, keys, width])
    lengths = d.ints([d.rng.randint(1, keys) for _ in range(batch)])
    padding = torch.arange(keys)[None, :] >= lengths[:, None]
    future = torch.ones(steps, steps, dtype=torch.bool).triu(1)
    return ({"heads": heads, "width": width, "hidden": hidden, "pre": int(pre)},
            m(x, memory, tgt_mask=future, memory_key_padding_mask=padding))


# --- what differs by design -----------------------------------------------------------------------------

def at_extremes(case):
    return case["extreme"]


def relu_cell(case):
    return at_extremes(case) and (case["name"] == "relu" or case["args"].get("kind") == "rnn_relu")


# (operations, condition, reason)
BY_DESIGN = [
    (("relu", "recurrent"), relu_cell,
     "where its input is NaN, relu is NaN in both; heed's gradient there is 0, PyTorch passes it on"),
    (("conv2d",), at_extremes,
     "a zero of the padding times an infinite weight is NaN; PyTorch's kernel leaves the padding out"),
]


# --- running and comparing ------------------------------------------------------------------------------

def refuse(message):
    print(message, file=sys.stderr)
    sys.exit(2)


def text(value):
    if isinstance(value, list):
        return ",".join(str(v) for v in value)
    return repr(value) if isinstance(value, float) else str(value)


def draw_all(count, seed, only):
    names = [n for n in CASES if not only or n == only]
    if not names:
        refuse(f"there is no case '{only}'; there are {', '.join(CASES)}")
    weights = [CASES[n][1] for n in names]
    cases, tensors, metadata = [], {}, {"count": str(count)}
    for i in range(count):
        rng = random.Random(f"{seed}.{i}")
        name = rng.choices(names, weights)[0]
        d = Drawn(rng)
        args, y = CASES[name][0](d)
        g = torch.Generator().manual_seed(rng.getrandbits(40))
        covector = torch.randn(y.shape, generator=g, dtype=torch.float64).to(d.dtype)
        if y.requires_grad:
            (covector * y).sum().backward()
        parameters = {"p." + k: p for k, p in d.parameters.items()}
        leaves = {f"x.{k}": x for k, x in enumerate(d.bases)} | parameters
        for key, x in leaves.items():
            tensors[f"{i}.{key}"] = x.detach().clone().contiguous()
        for k, n in enumerate(d.integers):
            tensors[f"{i}.n.{k}"] = n.to(torch.float64).contiguous()
        tensors[f"{i}.g"] = covector
        views = ["/".join(":".join(str(s) for s in step) for step in steps) or "-"
                 for steps in d.views]
        metadata[f"{i}"] = " ".join(
            [name] + [f"{k}={text(v)}" for k, v in args.items()] + ["|"] + views)
        zero = lambda x: torch.zeros_like(x) if x.grad is None else x.grad
        expected = {"y": y.detach()} | {"d." + k: zero(x) for k, x in leaves.items()}
        cases.append({"name": name, "args": args, "dtype": d.dtype, "extreme": d.extreme,
                      "covector": finite_maximum(covector), "expected": expected, "line": metadata[f"{i}"],
                      "shapes": [list(x.shape) for x in leaves.values()]})
    return cases, tensors, metadata


def finite_maximum(x):
    x = x[torch.isfinite(x)].double().abs()
    return x.max().item() if x.numel() else 0.0


def natural_scale(case_):
    """What the numbers of a case are rounded against: the largest weight of the sum, value or gradient.
    Many gradients are 0 in exact arithmetic, and then all that is left is rounding of this size. With
    extreme values each tensor is its own scale, at least 1."""
    if case_["extreme"]:
        return 1.0
    return max([1.0, case_["covector"]] + [finite_maximum(x) for x in case_["expected"].values()])


def difference(got, expected, scale):
    """The largest difference in units of rounding of the scale; inf for a NaN or an infinity on one
    side only."""
    if got.shape != expected.shape:
        return INF
    if not got.numel():
        return 0.0
    finite = torch.isfinite(expected) & torch.isfinite(got)
    if not torch.equal(torch.isnan(got), torch.isnan(expected)):
        return INF
    infinite = torch.isinf(expected) | torch.isinf(got)
    if not torch.equal(got[infinite], expected[infinite]):
        return INF
    if not finite.any():
        return 0.0
    a, b = got[finite].double(), expected[finite].double()
    eps = torch.finfo(expected.dtype).eps
    scale = max(scale, b.abs().max().item())
    return ((a - b).abs().max() / scale / eps).item()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("driver")
    parser.add_argument("--cases", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--tolerance", type=float, default=2000,
                        help="in units of rounding of the largest number of a tensor")
    o = parser.parse_args()
    cases, tensors, metadata = draw_all(o.cases, o.seed, o.only)
    with tempfile.TemporaryDirectory() as folder:
        given, made = pathlib.Path(folder) / "given", pathlib.Path(folder) / "made"
        save_file(tensors, given, metadata)
        run = subprocess.run([o.driver, str(given), str(made)])
        if run.returncode:
            refuse(f"{o.driver} ended with status {run.returncode}")
        with safe_open(made, "pt") as file:
            errors = file.metadata() or {}
            results = {key: file.get_tensor(key) for key in file.keys()}

    agree, worst, differing, designed = 0, (0.0, ""), [], collections.Counter()
    compared = 0
    for i, case_ in enumerate(cases):
        problems = []
        if f"{i}" in errors:
            problems.append(("threw", errors[f"{i}"]))
        else:
            scale = natural_scale(case_)
            for key, expected in case_["expected"].items():
                compared += 1
                got = results.get(f"{i}.{key}")
                error = INF if got is None else difference(got, expected, scale)
                if error > o.tolerance:
                    problems.append((key, "missing" if got is None else error))
                elif error > worst[0]:
                    worst = (error, f"case {i}: {case_['line']}, {key}")
        if not problems:
            agree += 1
            continue
        reason = next((r for names, when, r in BY_DESIGN
                       if case_["name"] in names and when(case_)), None)
        if reason:
            designed[reason] += 1
        else:
            differing.append((i, case_, problems))

    for i, case_, problems in differing[:o.show]:
        print(f"case {i}: {case_['line']}  {str(case_['dtype'])[6:]} "
              f"{'extreme ' if case_['extreme'] else ''}{case_['shapes']}")
        for key, what in problems:
            print(f"    {key}: {what}")
            got, expected = results.get(f"{i}.{key}"), case_["expected"].get(key)
            if got is not None and got.shape == expected.shape:
                a, b = got.reshape(-1).double(), expected.reshape(-1).double()
                off = (a - b).abs()
                at = int(torch.where(torch.isnan(off), INF, off).argmax())
                bad = torch.isnan(a) != torch.isnan(b)
                at = int(bad.nonzero()[0]) if bad.any() else at
                print(f"        element {at}: heed {a[at].item()}, PyTorch {b[at].item()}")
    by_name = collections.Counter(c["name"] for _, c, _ in differing)
    print(f"seed {o.seed}: {len(cases)} cases of {len(set(c['name'] for c in cases))} operations and "
          f"modules, {compared} tensors")
    print(f"agree: {agree}")
    for reason, n in designed.items():
        print(f"differ by design: {n} ({reason})")
    print(f"differ: {len(differing)}" +
          (f" ({', '.join(f'{n} {name}' for name, n in by_name.most_common())})" if differing else ""))
    print(f"worst error among those that agree: {worst[0]:.1f} units of rounding ({worst[1]})")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
