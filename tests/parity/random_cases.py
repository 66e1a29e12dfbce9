"""Random cases, computed by PyTorch and by heed, values and gradients compared.

    python tests/parity/random_cases.py DRIVER [--cases 3000] [--seed 1] [--only NAME] [--show 20]
                                               [--case NUMBER ...]     these cases of the seed alone

DRIVER is the program `heed_parity` (cmake --build build/release --target heed_parity). Every case
draws an operation or a module, its shapes, dtype and arguments, masks and lengths, and how each
input lies in memory (transposed, sliced, in steps, flipped, expanded). Half of the cases are special in
one of four ways: extreme values (0, 1e-30, 1e30, infinities, NaN), axes of size 0, ties (numbers from a
short list, so that many are equal), and rows that are equal along some axis. Prints the cases that agree
and differ, the worst error in units of rounding (of the largest number in the tensor), and the seed. The
same seed gives the same cases. What PyTorch refuses is counted and not compared.

With such values PyTorch's own answer can depend on what should not matter: on the order of its sums, on
a NaN behind a mask, or on which of two equal numbers it finds first. A case that differs is therefore
computed by PyTorch again, on the same inputs, in each of the READINGS: other programs for the same
formula. If heed agrees with PyTorch in one of them, the case is counted as "by design", with that
reading's reason. No case is excused by the name of its operation.

Exit status: 0 if nothing differs without such a reason, 1 if something does, 2 for a wrong call, 3 if PyTorch is not
installed: nothing was compared, which is not the same as agreement.
"""

import argparse
import collections
import functools
import itertools
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

# What is special about the numbers or the shapes of a case, and how often.
KINDS = {"plain": 4, "extreme": 1, "empty": 1, "ties": 1, "equal rows": 1}


class Drawn:
    """What a case draws: numbers from one generator, tensors with a view of them, and integers."""

    def __init__(self, rng, readings=(), nudge=None):
        self.rng = rng
        self.readings = readings  # how PyTorch is to compute this case, see READINGS
        self.nudge = nudge        # a generator: inputs and parameters are moved by one unit of rounding
        self.dtype = rng.choice([torch.float64, torch.float32])
        self.kind = rng.choices(list(KINDS), KINDS.values())[0]
        self.extreme = self.kind == "extreme"
        self.bases, self.views, self.integers = [], [], []
        self.parameters = {}

    def size(self, low=1, high=7, wide=0.08):
        """Mostly small; now and then large enough for the packed kernels; or nothing at all."""
        return 0 if self.nothing() else self.positive(low, high, wide)

    def nothing(self):
        return self.kind == "empty" and self.rng.random() < 0.3

    def positive(self, low=1, high=7, wide=0.08):
        return self.rng.randint(30, 80) if self.rng.random() < wide else self.rng.randint(low, high)

    def shape(self, low=1, high=4):
        return [self.size() for _ in range(self.rng.randint(low, high))]

    def values(self, shape, low=None, high=None):
        g = torch.Generator().manual_seed(self.rng.getrandbits(40))
        if low is None:
            x = torch.randn(shape, generator=g, dtype=torch.float64)
        else:
            x = low + (high - low) * torch.rand(shape, generator=g, dtype=torch.float64)
        if self.kind == "ties" and low is None:
            x = torch.round(x)
        elif self.kind == "ties":
            x = low + (high - low) * torch.round(3 * (x - low) / (high - low)) / 3
        elif self.kind == "equal rows" and x.dim() and x.numel():
            axis = self.rng.randrange(x.dim())
            x = x.narrow(axis, 0, 1).expand(shape).clone()
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
        leaf = self.computed(self.values(base, low, high)).requires_grad_()
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
        return self.nudged(x)

    def computed(self, x):
        """The numbers as this reading computes with them: finite, or in float64."""
        if "finite" in self.readings:
            x = torch.where(torch.isinf(x), 1e15 * torch.sign(x), x)
        return x.double() if "wide" in self.readings else x

    def nudged(self, x):
        """Each element moved by one unit in its last place or not at all, repeated ones differently."""
        if self.nudge is None:
            return x
        steps = torch.randint(-1, 2, x.shape, generator=self.nudge).to(x.dtype)
        return x * (1 + steps * torch.finfo(self.dtype).eps)

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
                p.data = self.nudged(self.computed(p.data))
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
    x = d.tensor(d.shape())
    if "alone" in d.readings:
        return {"alpha": alpha}, torch.cat([F.elu(e, alpha) for e in x.reshape(-1).split(1)]).reshape(x.shape)
    return {"alpha": alpha}, F.elu(x, alpha)


@case("clamp")
def clamp(d):
    return {"low": -0.5, "high": 0.75}, torch.clamp(d.tensor(d.shape()), -0.5, 0.75)


@case("power")
def power(d):
    p = d.rng.choice([-1.0, 0.5, 1.0, 2.0, 3.0, 2.5])
    between = (None, None) if p in (1.0, 2.0, 3.0) else (0.1, 3)
    x = d.tensor(d.shape(), *between)
    return {"p": p}, torch.pow(x, torch.full_like(x, p) if "composed" in d.readings else p)


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


REDUCTIONS = {"sum": torch.sum, "mean": torch.mean, "logsumexp": torch.logsumexp}
for _name, _f in REDUCTIONS.items():
    def _draw(d, f=_f):
        x = d.tensor(d.shape())
        args, torchs = axes_of(d, x)
        return args, f(x, **torchs)
    case(_name)(_draw)


for _name, _f in {"amax": torch.amax, "amin": torch.amin}.items():
    def _draw(d, f=_f):
        x = d.tensor(d.shape())
        args, torchs = axes_of(d, x)
        if "composed" in d.readings:  # the mean of the elements that are the extreme
            y = f(x, torchs["dim"], keepdim=True)
            found = (x == y) | (x.isnan() & y.isnan())
            return args, torch.where(found, x, 0).sum(**torchs) / found.sum(**torchs)
        return args, f(x, **torchs)
    case(_name)(_draw)


@case("var")
def var(d):
    x = d.tensor([d.size(2, 6, 0) for _ in range(d.rng.randint(1, 3))])
    args, torchs = axes_of(d, x)
    args["correction"] = d.rng.randint(0, 1)
    if "composed" in d.readings:
        square = (x - x.mean(torchs["dim"], keepdim=True)) ** 2
        count = square.numel() // square.sum(torchs["dim"]).numel()
        return args, square.sum(**torchs) / (count - args["correction"])
    return args, torch.var(x, correction=args["correction"], **torchs)


@case("stddev")
def stddev(d):
    x = d.tensor([d.size(2, 6, 0) for _ in range(d.rng.randint(1, 3))], expand=False)
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
    x = d.tensor([d.size(1, 5, 0) for _ in range(d.rng.randint(1, 3))])
    axis = d.rng.randrange(x.dim())
    if "composed" in d.readings:
        return {"axis": axis}, functools.reduce(torch.mul, x.unbind(axis))
    return {"axis": axis}, torch.prod(x, axis)


@case("cumsum")
def cumsum(d):
    x = d.tensor(d.shape())
    axis = d.rng.randrange(x.dim())
    return {"axis": axis}, torch.cumsum(x, axis)


@case("cumprod")
def cumprod(d):
    x = d.tensor([d.rng.randint(1, 5) for _ in range(d.rng.randint(1, 3))])
    axis = d.rng.randrange(x.dim())
    if "composed" in d.readings:
        return {"axis": axis}, torch.stack(list(itertools.accumulate(x.unbind(axis), torch.mul)), axis)
    return {"axis": axis}, torch.cumprod(x, axis)


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
    k = d.rng.randint(min(1, x.shape[axis]), x.shape[axis])
    if "composed" in d.readings:
        return ({"axis": axis, "k": k, "largest": int(largest)},
                torch.sort(x, dim=axis, descending=largest, stable=True).values.narrow(axis, 0, k))
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
    mask = d.ints(torch.tensor([d.rng.randint(0, 1) for _ in range(a.numel())])).reshape(shape)
    d.integers[-1] = mask
    return {}, torch.where(mask.bool(), a, b)


@case("index_select")
def index_select(d):
    x = d.tensor(d.shape())
    axis = d.rng.randrange(x.dim())
    count = 0 if d.nothing() or not x.shape[axis] else d.rng.randint(1, 6)
    ids = d.ints(torch.tensor([d.rng.randrange(x.shape[axis]) for _ in range(count)], dtype=torch.long))
    return {"axis": axis}, torch.index_select(x, axis, ids)


@case("embedding")
def embedding(d):
    rows = d.positive(2)
    table = d.tensor([rows, d.size()])
    ids = d.ints(torch.tensor([[d.rng.randrange(rows) for _ in range(3)] for _ in range(d.size(1, 5, 0))],
                              dtype=torch.long).reshape(-1, 3))
    return {}, F.embedding(ids, table)


@case("matmul", 6)
def matmul(d):
    m, n, k = d.size(wide=0.3), d.size(wide=0.3), d.size(wide=0.3)
    batch = [d.size(1, 3, 0) for _ in range(d.rng.randint(0, 2))]
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
    if "composed" in d.readings:
        return {}, LayerNormFormula.apply(*inputs)
    return {}, F.layer_norm(inputs[0], [width], *inputs[1:], eps=1e-5)


class LayerNormFormula(torch.autograd.Function):
    """Layer norm by its formulas: y = u w + b, dx = r (h - mean h - u mean(h u)) with h = g w."""

    @staticmethod
    def forward(c, x, w, b):
        r = torch.rsqrt(x.var(-1, correction=0, keepdim=True) + 1e-5)
        c.save_for_backward((x - x.mean(-1, keepdim=True)) * r, r, w)
        return (x - x.mean(-1, keepdim=True)) * r * w + b

    @staticmethod
    def backward(c, g):
        u, r, w = c.saved_tensors
        h, rows = g * w, tuple(range(g.dim() - 1))
        dx = r * (h - h.mean(-1, keepdim=True) - u * (h * u).mean(-1, keepdim=True))
        return dx, *((x.sum(rows) if rows else x) for x in (g * u, g))


@case("cross_entropy", 6)
def cross_entropy(d):
    rows, classes = d.size(wide=0.2), d.size(2, wide=0.3)
    logits = d.tensor([rows, classes])
    labels = [d.rng.randrange(classes) if classes else -100 for _ in range(rows)]
    if rows > 1:
        labels = [-100 if i and d.rng.random() < 0.2 else y for i, y in enumerate(labels)]
    if "masked" in d.readings:
        logits = torch.where(torch.tensor(labels)[:, None] == -100, 0.0, logits)
    smoothing = d.rng.choice([0.0, 0.0, 0.1])
    reduction = d.rng.choice(["mean", "sum", "none"])
    loss = functools.partial(F.cross_entropy,
                             label_smoothing=0.0 if "unsmoothed" in d.readings else smoothing)
    counting = sum(y != -100 for y in labels)
    return ({"smoothing": smoothing, "reduction": reduction},
            reduced(d, loss, logits, d.ints(torch.tensor(labels, dtype=torch.long)), reduction, counting))


def reduced(d, loss, x, target, reduction, count):
    """The loss; with the reading "counted" a mean is the sum over the count, and 0 of nothing."""
    if "counted" in d.readings and reduction == "mean":
        return loss(x, target, reduction="sum") / max(count, 1)
    return loss(x, target, reduction=reduction)


def weighted_bce(x, target, reduction="mean"):
    """Binary cross-entropy with logits as a sum of two terms, each left out where its weight is 0."""
    term = lambda w, z: torch.where(w == 0, 0.0, -w * F.logsigmoid(torch.where(w == 0, 0.0, z)))
    loss = term(target, x) + term(1 - target, -x)
    return {"mean": torch.mean, "sum": torch.sum, "none": lambda y: y}[reduction](loss)


LOSSES = {
    "mse": F.mse_loss, "l1_loss": F.l1_loss,
    "huber_loss": lambda x, t, reduction: F.huber_loss(x, t, delta=0.7, reduction=reduction),
    "bce_with_logits": F.binary_cross_entropy_with_logits,
}
for _name, _f in LOSSES.items():
    def _draw(d, f=_f):
        shape, reduction = d.shape(), d.rng.choice(["mean", "sum", "none"])
        x, target = d.tensor(shape), d.tensor(shape)
        if "weighted" in d.readings:
            f = weighted_bce
        return {"reduction": reduction}, reduced(d, f, x, target, reduction, x.numel())
    case(_name)(_draw)


@case("conv2d", 3)
def conv2d(d):
    groups = d.rng.choice([1, 1, 2])
    kernel = [d.rng.randint(1, 3), d.rng.randint(1, 3)]
    o = {"groups": groups, "stride": d.rng.randint(1, 2), "padding": d.rng.randint(0, 2),
         "dilation": d.rng.randint(1, 2)}
    channels, out = groups * d.rng.randint(1, 4), groups * d.rng.randint(1, 4)
    inputs = [d.tensor([d.size(1, 3, 0), channels, d.rng.randint(5, 9), d.rng.randint(5, 9)]),
              d.tensor([out, channels // groups] + kernel)]
    if d.rng.random() < 0.6:
        inputs.append(d.tensor([out]))
    if "padded" in d.readings:
        return o, F.conv2d(F.pad(inputs[0], [o["padding"]] * 4), *inputs[1:], **(o | {"padding": 0}))
    return o, F.conv2d(*inputs, **o)


@case("max_pool2d", 2)
def max_pool2d(d):
    o = {"kernel": d.rng.randint(2, 3), "stride": d.rng.randint(1, 3), "padding": d.rng.randint(0, 1)}
    x = d.tensor([d.size(1, 3, 0), d.size(1, 3, 0), d.rng.randint(4, 8), d.rng.randint(4, 8)])
    return o, F.max_pool2d(x, o["kernel"], o["stride"], o["padding"])


@case("avg_pool2d", 2)
def avg_pool2d(d):
    o = {"kernel": d.rng.randint(2, 3), "stride": d.rng.randint(1, 3), "padding": d.rng.randint(0, 1)}
    x = d.tensor([d.size(1, 3, 0), d.size(1, 3, 0), d.rng.randint(4, 8), d.rng.randint(4, 8)])
    return o, F.avg_pool2d(x, o["kernel"], o["stride"], o["padding"])


def attention_of_allowed(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                         flushed=False, in_turn=False):
    """F.scaled_dot_product_attention of each query and its allowed keys alone, [B, H, Q, D]. What is
    masked takes no part in any sum, and a query without an allowed key has the context 0. With flushed,
    a weight below the smallest normal number of float32 is 0. With in_turn, the products of a score are
    added one after another in float32, each sum rounded once."""
    allowed = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool)
    if is_causal:
        allowed = allowed.tril()
    elif attn_mask is not None:
        allowed = attn_mask if attn_mask.dtype == torch.bool else attn_mask == 0
    allowed = allowed.expand(*q.shape[:-1], k.shape[-2])
    scale, rows = scale or 1 / math.sqrt(q.shape[-1]), []
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            for i in range(q.shape[2]):
                some = allowed[b, h, i].nonzero().squeeze(1)
                scores = q[b, h, i, None] @ k[b, h, some].T
                if in_turn:
                    one_by_one = torch.zeros(len(some), dtype=torch.float32)
                    for j in range(q.shape[-1]):
                        product = q[b, h, i, j].detach().double() * k[b, h, some, j].detach().double()
                        one_by_one = (product + one_by_one.double()).float()
                    overflowed = torch.isinf(one_by_one)
                    scores = torch.where(overflowed, one_by_one.to(scores.dtype), scores)
                weights = torch.softmax(scores * scale, -1)
                if flushed:
                    weights = torch.where(weights < torch.finfo(torch.float32).tiny, 0.0, weights)
                rows.append(weights @ v[b, h, some])
    return torch.cat(rows).reshape(*q.shape[:-1], v.shape[-1])


@case("scaled_dot_product_attention", 10)
def attention(d):
    batch, heads = d.size(1, 2, 0), d.size(1, 3, 0)
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
        if shape == [batch, keys]:  # heed refuses to guess whether the first axis is the batch
            shape = [1, 1] + shape
        n = math.prod(shape)
        mask = d.ints(torch.tensor([int(d.rng.random() < 0.7) for _ in range(n)])).reshape(shape)
        d.integers[-1] = mask
        mask = mask.bool()
        if not mask.expand(batch, heads, queries, keys).any(-1).all():
            if "masked" in d.readings:
                return args, attention_of_allowed(q, k, v, mask)
            # PyTorch's row without an allowed key: 0, by its definition with 0 as weights.
            weights = (q @ k.transpose(-1, -2) / math.sqrt(width)).masked_fill(~mask, -INF)
            empty = ~mask.expand(weights.shape).any(-1, keepdim=True)
            weights = torch.softmax(weights.masked_fill(empty, 0), -1).masked_fill(empty, 0)
            return args, weights @ v
    if d.rng.random() < 0.3:
        args["scale"] = 0.37
    return args, F.scaled_dot_product_attention(q, k, v, mask, is_causal=causal,
                                                scale=args.get("scale"))


# --- modules ------------------------------------------------------------------------------------------

@case("recurrent", 8)
def recurrent(d):
    kind = d.rng.choice(["rnn_tanh", "rnn_relu", "gru", "lstm"])
    width, hidden = d.positive(wide=0.2), d.positive(wide=0.2)
    batch, steps = d.size(1, 4, 0), d.size(1, 6, 0)
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
        lengths = d.ints(torch.tensor([d.rng.randint(min(1, steps), steps) for _ in range(batch)],
                                      dtype=torch.long))
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
    width = heads * d.positive(1, 5, wide=0.15)
    kdim, vdim = (d.positive(), d.positive()) if d.rng.random() < 0.3 else (width, width)
    bias = d.rng.random() < 0.7
    m = d.module(nn.MultiheadAttention(width, heads, bias=bias, kdim=kdim, vdim=vdim,
                                       batch_first=True))
    batch, queries, keys = d.size(1, 3, 0), d.size(wide=0.1), d.size(wide=0.1)
    q, k, v = (d.tensor([batch, queries, width]), d.tensor([batch, keys, kdim]),
               d.tensor([batch, keys, vdim]))
    padding = None
    if d.rng.random() < 0.5:
        lengths = d.ints(torch.tensor([d.rng.randint(min(1, keys), keys) for _ in range(batch)],
                                      dtype=torch.long))
        padding = torch.arange(keys)[None, :] >= lengths[:, None]
        if "masked" in d.readings or "zeroed" in d.readings:
            k, v = (torch.where(padding[..., None], 0.0, x) for x in (k, v))
    return ({"heads": heads, "width": width, "kdim": kdim, "vdim": vdim, "bias": int(bias)},
            m(q, k, v, key_padding_mask=padding, need_weights=False)[0])


@case("encoder_layer", 3)
def encoder_layer(d):
    heads = d.rng.randint(1, 3)
    width, hidden = heads * d.positive(4, 6, wide=0.1), d.positive(2)
    pre, gelu = d.rng.random() < 0.5, d.rng.random() < 0.5
    m = d.module(nn.TransformerEncoderLayer(
        width, heads, hidden, dropout=0.0, norm_first=pre, batch_first=True,
        activation="gelu" if gelu else "relu"))
    batch, steps = d.size(1, 3, 0), d.size(2, wide=0.1)
    x = d.tensor([batch, steps, width], expand=False)
    causal = d.rng.random() < 0.5
    mask = torch.ones(steps, steps, dtype=torch.bool).triu(1) if causal else None
    return ({"heads": heads, "width": width, "hidden": hidden, "pre": int(pre), "gelu": int(gelu),
             "causal": int(causal)}, m(x, src_mask=mask))


@case("decoder_layer", 3)
def decoder_layer(d):
    heads = d.rng.randint(1, 3)
    width, hidden = heads * d.positive(4, 6, wide=0.1), d.positive(2)
    pre = d.rng.random() < 0.5
    m = d.module(nn.TransformerDecoderLayer(width, heads, hidden, dropout=0.0, norm_first=pre,
                                            batch_first=True))
    batch, steps, keys = d.size(1, 3, 0), d.size(2, wide=0.1), d.size(2, wide=0.1)
    x, memory = d.tensor([batch, steps, width], expand=False), d.tensor([batch, keys, width])
    lengths = d.ints(torch.tensor([d.rng.randint(min(1, keys), keys) for _ in range(batch)],
                                      dtype=torch.long))
    padding = torch.arange(keys)[None, :] >= lengths[:, None]
    if "masked" in d.readings or "zeroed" in d.readings:
        memory = torch.where(padding[..., None], 0.0, memory)
    future = torch.ones(steps, steps, dtype=torch.bool).triu(1)
    return ({"heads": heads, "width": width, "hidden": hidden, "pre": int(pre)},
            m(x, memory, tgt_mask=future, memory_key_padding_mask=padding))


# --- other programs for the same formula --------------------------------------------------------------

def masked_non_finite(d):
    """Is there a NaN or an infinity in the inputs of a case with a mask? Then PyTorch multiplies it by
    the weight 0."""
    masked = bool(d.integers) or "causal=1" in d.line or d.name == "decoder_layer"
    return masked and not_finite(d)


def not_finite(d):
    return not all(torch.isfinite(x).all() for x in d.bases)


def infinite(d, at):
    return any(torch.isinf(x).any() for x in d.bases[at:])


def huge(d):
    """Products of such numbers overflow float32."""
    return d.dtype == torch.float32 and max(map(finite_maximum, d.bases)) > 1e15


# How else PyTorch may compute a case with extreme values: (words for Drawn.readings, when the inputs
# call for it, why heed may differ from PyTorch as it is)
ATTENTIONS = ("scaled_dot_product_attention", "multi_head", "encoder_layer", "decoder_layer")
READINGS = [
    (("wide",), lambda d: d.dtype == torch.float32,
     "PyTorch's float32 overflows or cancels; heed has the digits of PyTorch's float64"),
    (("masked",), lambda d: d.name in ATTENTIONS and masked_non_finite(d),
     "a NaN or an infinity behind a mask; heed leaves a masked key out, as PyTorch without that key"),
    (("masked", "wide"),
     lambda d: d.name in ATTENTIONS and masked_non_finite(d) and d.dtype == torch.float32,
     "both: heed leaves a masked NaN or infinity out, and agrees with PyTorch's float64"),
    (("masked",), lambda d: d.name in ATTENTIONS and (infinite(d, 0) or huge(d)),
     "all scores of a row are -infinity without a mask; heed has the NaN of the softmax, PyTorch's "
     "attention takes such a row as masked"),
    (("masked",), lambda d: d.name == "cross_entropy" and -100 in d.integers[0] and not_finite(d),
     "a NaN or an infinity in a row that is ignored; heed leaves the row out, as PyTorch with zeros there"),
    (("zeroed", "flash"), lambda d: d.name in ATTENTIONS[1:] and masked_non_finite(d),
     "both: a masked NaN or infinity, and PyTorch's flash attention agrees with heed"),
    (("flash",), lambda d: d.name in ATTENTIONS[1:],
     "PyTorch's two kernels of attention differ; heed agrees with the other one, flash attention"),
    (("flushed",), lambda d: d.name in ATTENTIONS and d.dtype == torch.float32 and infinite(d, 0),
     "an infinite value whose weight is below the normal numbers of float32: heed's exp gives 0 there, "
     "and 0 times infinity is NaN"),
    (("masked", "in_turn", "wide"),
     lambda d: d.name in ATTENTIONS and huge(d),
     "a score overflows float32: its sign is that of the first sum to do so, where PyTorch's sums in "
     "another order give NaN"),
    (("finite",), lambda d: d.name == "atan2" and infinite(d, 0),
     "heed's slope of atan2 at infinity is the limit, 0, as PyTorch's at 1e15 up to rounding; PyTorch's "
     "is 0 times infinity"),
    (("finite",), lambda d: d.name == "gelu_tanh" and infinite(d, 0),
     "heed's slope of gelu_tanh at infinity is the limit, 0 or 1, as PyTorch's at 1e15; PyTorch's is 0 "
     "times infinity"),
    (("finite", "wide"), lambda d: d.name == "atan2" and infinite(d, 0) and d.dtype == torch.float32,
     "both: the slope of atan2 at infinity, and squares that overflow in PyTorch's float32"),
    (("composed",), lambda d: d.name == "var" and infinite(d, 0),
     "the variance of an infinity is NaN; heed's gradient is that of mean((x - mean x)^2), NaN, where "
     "PyTorch's own leaves a term out and is infinite"),
    (("composed",), lambda d: d.name in ("amax", "amin") and not_finite(d),
     "the gradient of an extreme that is NaN goes to the NaN; PyTorch's is NaN for all elements"),
    (("composed",), lambda d: d.name in ("prod", "cumprod") and not_finite(d),
     "heed's gradient of a product is the product of the other factors; PyTorch divides the whole product "
     "by the factor, which is NaN for an infinite factor and for a NaN"),
    (("composed",),
     lambda d: d.name == "power" and d.args["p"] == 0.5 and (infinite(d, 0) or (d.bases[0] == 0).any()),
     "a power 0.5 of -infinity is infinity in C's pow and in heed, and that of -0 is 0; PyTorch takes the "
     "square roots, NaN and -0, unless the exponent is a tensor"),
    (("weighted",), lambda d: d.name == "bce_with_logits" and infinite(d, 0),
     "an infinite logit: heed has the sum of target · ln p and (1 - target) · ln(1 - p), where a weight of 0 "
     "leaves a term out; PyTorch subtracts infinities"),
    (("composed",), lambda d: d.name == "layer_norm" and len(d.bases) > 1 and infinite(d, 1),
     "an infinite scale: heed's gradient is that of the textbook formula, where PyTorch groups the terms "
     "in another way and subtracts infinities"),
    (("composed", "wide"),
     lambda d: d.name == "layer_norm" and len(d.bases) > 1 and infinite(d, 1) and d.dtype == torch.float32,
     "both: an infinite scale, and squares that overflow in PyTorch's float32"),
    (("padded",), lambda d: d.name == "conv2d" and infinite(d, 1),
     "a zero of the padding times an infinite weight is NaN; PyTorch's convolution leaves the padding "
     "out, unless it is put around the image beforehand"),
    (("alone",), lambda d: d.name == "elu" and not_finite(d),
     "PyTorch's slope of elu at NaN depends on the number's place in the register; heed has that of a number "
     "alone, the gradient that arrives"),
]
# The same for cases of all special kinds.
READINGS_OF_EQUALS = [
    (("composed",), lambda d: d.name == "topk",
     "topk of equal numbers; heed takes the first of them, as PyTorch's stable sort"),
    (("counted",), lambda d: d.args.get("reduction") == "mean" and d.expected["y"].isnan(),
     "the mean loss of no rows is 0 in heed, and NaN in PyTorch"),
    (("unsmoothed", "counted"), lambda d: d.name == "cross_entropy" and d.kind == "empty",
     "without classes every row is ignored, and its loss is 0 in heed; PyTorch's label smoothing divides "
     "by the number of classes, 0"),
]


def attention_scales(d):
    """The size of the terms that are summed for each result of attention: weights times (covector ·
    value), times key or query. A gradient that is 0 in exact arithmetic is off by a rounding of those. In
    a layer, query, key and value are sums of one input and each gradient of a parameter has it as one factor
    more. In an encoder a norm divides by it, before or after; the memory of a decoder has none."""
    if d.name not in ATTENTIONS:
        return None
    g = max(1.0, finite_maximum(d.covector))
    if d.name != "scaled_dot_product_attention":
        largest_input = max(1.0, *map(finite_maximum, d.bases))
        terms = g * largest_input ** (1 if d.name == "encoder_layer" else 2)
        return {key: 1.0 if key == "y" else terms * largest_input if key.startswith("d.p") else terms
                for key in d.expected}
    q, k, v = (max(1.0, finite_maximum(x)) for x in d.bases)
    return {"y": v, "d.x.0": g * v * k, "d.x.1": g * v * q, "d.x.2": g}


def no_value(y):
    return y.numel() > 0 and y.isnan().all()


NO_VALUE = "heed refuses what has no value, as the variance of nothing; PyTorch's is NaN, with a warning"
SEVERAL = "several of these reasons, each for some of the elements"
HUGE = ("a gradient of attention that is 0 in exact arithmetic: both are off by a rounding of the terms of its "
        "sum, up to 1e60 here, which may overflow and then be NaN")
ILL_CONDITIONED = ("rounding decides: PyTorch's own results differ as much when its inputs are moved by one "
                   "unit in the last place")


# --- running and comparing ------------------------------------------------------------------------------

def refuse(message):
    print(message, file=sys.stderr)
    sys.exit(2)


def text(value):
    if isinstance(value, list):
        return ",".join(str(v) for v in value)
    return repr(value) if isinstance(value, float) else str(value)


def draw(number, seed, names, readings=(), nudge=None):
    """One case and PyTorch's answer: d.expected, and what heed is to be given. If PyTorch refuses the
    case, d.expected is None."""
    rng = random.Random(f"{seed}.{number}")
    torch.manual_seed(random.Random(f"{seed}.{number}, parameters").getrandbits(40))
    name = rng.choices(names, [CASES[n][1] for n in names])[0]
    if nudge is not None:
        nudge = torch.Generator().manual_seed(nudge)
    d = Drawn(rng, readings, nudge)
    d.name = name
    plain = F.scaled_dot_product_attention
    if {"masked", "flushed", "in_turn"} & set(readings):
        F.scaled_dot_product_attention = functools.partial(
            attention_of_allowed, flushed="flushed" in readings, in_turn="in_turn" in readings)
    backend = torch.nn.attention.SDPBackend
    # PyTorch's flash attention gives a number where a score is NaN, so the other kernel is asked first.
    try:
        with torch.nn.attention.sdpa_kernel(
                backend.FLASH_ATTENTION if "flash" in readings else backend.MATH):
            d.args, y = CASES[name][0](d)
    except (RuntimeError, IndexError, ValueError):
        d.expected = None
        return d
    finally:
        F.scaled_dot_product_attention = plain
    g = torch.Generator().manual_seed(rng.getrandbits(40))
    d.covector = torch.randn(y.shape, generator=g, dtype=torch.float64).to(d.dtype)
    if y.requires_grad:
        (d.covector * y).sum().backward()
    d.leaves = {f"x.{k}": x for k, x in enumerate(d.bases)}
    d.leaves |= {"p." + k: p for k, p in d.parameters.items()}
    views = ["/".join(":".join(str(s) for s in step) for step in steps) or "-" for steps in d.views]
    d.line = " ".join([name] + [f"{k}={text(v)}" for k, v in d.args.items()] + ["|"] + views)
    zero = lambda x: torch.zeros_like(x) if x.grad is None else x.grad
    d.expected = {"y": y.detach()} | {"d." + k: zero(x) for k, x in d.leaves.items()}
    d.expected = {k: x.to(d.dtype) for k, x in d.expected.items()}
    return d


def draw_all(numbers, seed, names):
    cases, tensors, metadata, refused = [], {}, {}, collections.Counter()
    for number in numbers:
        d = draw(number, seed, names)
        d.number = number
        if d.expected is None:
            refused[d.name] += 1
            continue
        i = len(cases)
        for key, x in d.leaves.items():
            tensors[f"{i}.{key}"] = x.detach().clone().contiguous()
        for k, n in enumerate(d.integers):
            tensors[f"{i}.n.{k}"] = n.to(torch.float64).contiguous()
        tensors[f"{i}.g"] = d.covector
        metadata[f"{i}"] = d.line
        cases.append(d)
    metadata["count"] = str(len(cases))
    return cases, tensors, metadata, refused


def finite_maximum(x):
    x = x[torch.isfinite(x)].double().abs()
    return x.max().item() if x.numel() else 0.0


def natural_scale(case_):
    """What the numbers of a case are rounded against: the largest weight of the sum, value or gradient.
    Many gradients are 0 in exact arithmetic, and then all that is left is rounding of this size. With
    extreme values each tensor is its own scale, at least 1."""
    if case_.extreme:
        return 1.0
    return max([1.0, finite_maximum(case_.covector)] +
               [finite_maximum(x) for x in case_.expected.values()])


def differences(got, expected, scale):
    """The difference of each element in units of rounding of the scale; inf for a NaN or an infinity on
    one side only."""
    if got is None or got.shape != expected.shape:
        return torch.full(expected.shape, INF, dtype=torch.float64)
    eps = torch.finfo(expected.dtype).eps
    a, b = got.double(), expected.double()
    scale = max(scale, finite_maximum(expected))
    same = (a == b) | (torch.isnan(a) & torch.isnan(b))
    if scale * eps > torch.finfo(expected.dtype).max:  # a rounding of the scale is infinite: inf - inf
        same |= ~torch.isnan(b)
    return torch.where(same, 0.0, torch.nan_to_num((a - b).abs() / scale / eps, INF, INF, INF))


def largest(x):
    return x.max().item() if x.numel() else 0.0


def reason_for(case_, got, o, names):
    """Why heed's results of a case differ from PyTorch's, if one of the READINGS shows it; or None."""
    def draw_again(words, nudge=None):
        return draw(case_.number, o.seed, names, words, nudge).expected

    def explained(ways, scales=None, spread=None):
        """Each element agrees with PyTorch in one of the ways in which it computed the case."""
        for key in case_.expected:
            error = functools.reduce(torch.minimum, (
                differences(got[key], x[key], scales[key] if scales else natural_scale(case_))
                for x in ways))
            if largest(error) > max(o.tolerance, 10 * spread[key] if spread else 0):
                return False
        return True

    readings = READINGS_OF_EQUALS + (READINGS if case_.extreme else [])
    called_for = [r for r in readings if r[1](case_)]
    if case_.kind == "plain":
        return None
    results = {words: draw_again(words) for words in [()] + [r[0] for r in called_for]}
    for words, _, reason in called_for:
        if explained([results[()], results[words]]):
            return reason
    if explained(results.values()):
        return SEVERAL
    if attention_scales(case_) and explained(results.values(), attention_scales(case_)):
        return HUGE
    spread = collections.defaultdict(float)
    for words, expected in results.items():
        for moved in [draw_again(words, k) for k in range(8)]:
            for key, x in expected.items():
                difference = differences(moved[key], x, 1.0)
                spread[key] = max(spread[key],
                                  largest(torch.where(torch.isfinite(x), difference, 0)))
    return ILL_CONDITIONED if explained(results.values(), None, spread) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("driver")
    parser.add_argument("--cases", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--tolerance", type=float, default=2000,
                        help="in units of rounding of the largest number of a tensor")
    parser.add_argument("--case", type=int, nargs="+")
    o = parser.parse_args()
    names = [n for n in CASES if not o.only or n == o.only]
    if not names:
        refuse(f"there is no case '{o.only}'; there are {', '.join(CASES)}")
    cases, tensors, metadata, refused = draw_all(o.case or range(o.cases), o.seed, names)
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
    kinds = collections.Counter()
    compared = 0
    for i, case_ in enumerate(cases):
        scale, problems = natural_scale(case_), []
        got = {key: results.get(f"{i}.{key}") for key in case_.expected}
        if f"{i}" in errors and case_.kind == "empty" and no_value(case_.expected["y"]):
            designed[NO_VALUE] += 1
            continue
        if f"{i}" in errors:
            differing.append((case_, got, [("threw", errors[f"{i}"])]))
            continue
        for key, expected in case_.expected.items():
            compared += 1
            error = largest(differences(got[key], expected, scale))
            if error > o.tolerance:
                problems.append((key, "missing" if got[key] is None else error))
            elif error > worst[0]:
                worst = (error, f"case {case_.number}: {case_.line}, {key}")
        if not problems:
            agree += 1
            kinds[case_.kind] += 1
        elif reason := reason_for(case_, got, o, names):
            designed[reason] += 1
            if o.case:
                print(f"case {case_.number}: {reason}")
        else:
            differing.append((case_, got, problems))

    for case_, got, problems in differing[:o.show]:
        print(f"case {case_.number}: {case_.line}  {str(case_.dtype)[6:]} "
              f"{case_.kind} {[list(x.shape) for x in case_.leaves.values()]}")
        for key, what in problems:
            print(f"    {key}: {what}")
            if got.get(key) is not None:
                at = int(differences(got[key], case_.expected[key], 1.0).argmax())
                print(f"        element {at}: heed {got[key].reshape(-1)[at].item()}, "
                      f"PyTorch {case_.expected[key].reshape(-1)[at].item()}")
    by_name = collections.Counter(c.name for c, _, _ in differing)
    print(f"seed {o.seed}: {len(cases)} cases of {len(set(c.name for c in cases))} operations and "
          f"modules, {compared} tensors")
    print(f"agree: {agree} ({', '.join(f'{n} {kind}' for kind, n in kinds.most_common())})")
    if refused:
        print(f"PyTorch refuses: {refused.total()} "
              f"({', '.join(f'{n} {name}' for name, n in refused.most_common())})")
    for reason, n in designed.items():
        print(f"differ by design: {n} ({reason})")
    print(f"differ: {len(differing)}" +
          (f" ({', '.join(f'{n} {name}' for name, n in by_name.most_common())})" if differing else ""))
    print(f"worst error among those that agree: {worst[0]:.1f} units of rounding ({worst[1]})")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
