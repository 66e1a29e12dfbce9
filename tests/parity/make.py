"""Writes the parity files: what PyTorch computes, in float64, for the layers it has.

    python tests/parity/make.py        # from the root; made with PyTorch 2.13

Each file holds one case: the parameters of a module under PyTorch's names ("parameter.*"), its
inputs ("input.*"), its output ("output"), the random weights c of the loss sum(c * output)
("covector"), and the gradients of that loss ("gradient.*", of parameters and inputs alike).
Two modules have a file of their state_dict as well, as anyone would save it; operations without
parameters share one file (see operations()). Integers (ids, labels, lengths) are stored as float64
too. test_parity.cpp and test_operations.cpp read them.

The files "wide_*" have shapes that reach heed's packed and tiled kernels. Their parameters and inputs
are float32 numbers, stored as such, and PyTorch computes with them in float64: so float32 and float64
of heed are both held against the same numbers. test_parity_wide.cpp reads them.
"""

import pathlib

import torch
from safetensors.torch import save_file
from torch import nn

FOLDER = pathlib.Path(__file__).parent
torch.set_default_dtype(torch.float64)


def numbers(*shape):
    return torch.randn(*shape)


def shaken(module):
    """No parameter stays at 0 or 1, where a mistake would not show."""
    with torch.no_grad():
        for p in module.parameters():
            p.add_(0.3 * torch.randn_like(p))
    return module


def write(name, tensors, keep_integers=False, single=()):
    """Tensors whose names begin with one of `single` are stored as float32."""
    def kept(key, v):
        if keep_integers and not v.is_floating_point():
            return v
        return v.to(torch.float32 if key.startswith(single) else torch.float64)
    single = tuple(single)
    whole = {k: kept(k, v.detach()).contiguous().clone() for k, v in tensors.items()}
    path = FOLDER / f"{name}.safetensors"
    save_file(whole, path)
    path.chmod(0o644)


def as_float32(x):
    return x.to(torch.float32).to(torch.float64)


def case(name, module, inputs, call, extra=None, extra_state=False, single=False):
    """call(module, inputs) is differentiated with respect to all parameters and inputs. With
    `single` all numbers that go in are float32 numbers."""
    if single:
        inputs = {k: as_float32(x) for k, x in inputs.items()}
        with torch.no_grad():
            for p in module.parameters():
                p.copy_(as_float32(p))
    for x in inputs.values():
        x.requires_grad_()
    y = call(module, inputs)
    covector = as_float32(torch.randn_like(y)) if single else torch.randn_like(y)
    (covector * y).sum().backward()
    tensors = {"output": y, "covector": covector}
    gradient = lambda x: torch.zeros_like(x) if x.grad is None else x.grad
    for key, x in inputs.items():
        tensors["input." + key] = x
        tensors["gradient." + key] = gradient(x)
    for key, p in module.named_parameters():
        tensors["parameter." + key] = p
        tensors["gradient." + key] = gradient(p)
    for key, x in (extra or {}).items():
        tensors["input." + key] = x
    write(name, tensors, single=("input.", "parameter.", "covector") if single else ())
    if extra_state:
        write(name + "_state", module.state_dict())


def simple_layers():
    case("linear", shaken(nn.Linear(4, 3)), {"x": numbers(2, 3, 4)}, lambda m, x: m(x["x"]))
    case("layer_norm", shaken(nn.LayerNorm(5)), {"x": numbers(2, 3, 5)}, lambda m, x: m(x["x"]))
    case("gelu", nn.GELU(), {"x": 2 * numbers(3, 5)}, lambda m, x: m(x["x"]))
    case("gelu_tanh", nn.GELU(approximate="tanh"), {"x": 2 * numbers(3, 5)}, lambda m, x: m(x["x"]))
    ids = torch.tensor([[1, 3, 0], [3, 2, 0]])
    case("embedding", shaken(nn.Embedding(5, 3, padding_idx=0)), {}, lambda m, x: m(ids),
         {"ids": ids})
    labels = torch.tensor([2, 0, -100, 4, 1])
    for smoothing in (0.0, 0.1):
        loss = nn.CrossEntropyLoss(label_smoothing=smoothing, ignore_index=-100)
        name = "cross_entropy_smoothed" if smoothing else "cross_entropy"
        case(name, loss, {"logits": 2 * numbers(5, 6)}, lambda m, x: m(x["logits"], labels),
             {"labels": labels})


def convolutions():
    plain = lambda m, x: m(x["x"])
    case("conv2d", shaken(nn.Conv2d(2, 3, 3)), {"x": numbers(2, 2, 5, 6)}, plain)
    case("conv2d_options",
         shaken(nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 2), dilation=(1, 2), groups=2)),
         {"x": numbers(2, 4, 7, 5)}, plain)
    case("conv2d_depthwise", shaken(nn.Conv2d(3, 3, 3, padding=1, groups=3, bias=False)),
         {"x": numbers(2, 3, 4, 4)}, plain)
    case("conv1d", shaken(nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2)),
         {"x": numbers(2, 4, 7)}, plain)
    for name, pool in (
            ("max_pool2d", nn.MaxPool2d(2)),
            ("max_pool2d_overlapping", nn.MaxPool2d((3, 2), stride=(2, 1), padding=1)),
            ("avg_pool2d", nn.AvgPool2d(2)),
            ("avg_pool2d_overlapping", nn.AvgPool2d((3, 2), stride=(2, 1), padding=1)),
            ("adaptive_avg_pool2d", nn.AdaptiveAvgPool2d((3, 2)))):
        case(name, pool, {"x": numbers(2, 3, 6, 4)}, plain)
    for name, pool in (("max_pool1d", nn.MaxPool1d(3, stride=2, padding=1)),
                       ("avg_pool1d", nn.AvgPool1d(3, stride=2, padding=1)),
                       ("adaptive_avg_pool1d", nn.AdaptiveAvgPool1d(2))):
        case(name, pool, {"x": numbers(2, 3, 6)}, plain)


def normalisations():
    plain = lambda m, x: m(x["x"])
    case("group_norm", shaken(nn.GroupNorm(2, 4)), {"x": 2 * numbers(3, 4, 2, 3)}, plain)
    case("rms_norm", shaken(nn.RMSNorm(5)), {"x": 2 * numbers(2, 3, 5)}, plain)
    for name, make, shape in (("batch_norm1d", nn.BatchNorm1d, (6, 3)),
                              ("batch_norm2d", nn.BatchNorm2d, (2, 3, 2, 4))):
        # Two calls in training; the running statistics after them are in "_eval".
        module = shaken(make(3))
        module(2 * numbers(*shape) + 1)
        before = {k: v.clone() for k, v in module.named_buffers()}
        case(name, module, {"x": 2 * numbers(*shape) + 1}, plain,
             {"before." + k: v for k, v in before.items()})
        module.zero_grad()
        module.eval()
        after = {"after." + k: v for k, v in module.named_buffers()}
        case(name + "_eval", module, {"x": 2 * numbers(*shape)}, plain, after)
    write("batch_norm2d_state", module.state_dict(), keep_integers=True)


def losses():
    """The gradients with respect to prediction and target; those of nll_loss to the first."""
    pair = lambda: {"x": 2 * numbers(4, 5), "t": 2 * numbers(4, 5)}
    of_pair = lambda m, x: m(x["x"], x["t"])
    for reduction in ("mean", "sum", "none"):
        for name, loss in (("mse", nn.MSELoss(reduction=reduction)),
                           ("l1_loss", nn.L1Loss(reduction=reduction)),
                           ("huber_loss", nn.HuberLoss(delta=0.7, reduction=reduction)),
                           ("smooth_l1_loss", nn.SmoothL1Loss(beta=0.7, reduction=reduction)),
                           ("bce_with_logits", nn.BCEWithLogitsLoss(reduction=reduction))):
            case(f"{name}_{reduction}", loss, pair(), of_pair)
        probabilities = {"x": 0.01 + 0.98 * torch.rand(4, 5), "t": torch.rand(4, 5)}
        case(f"bce_{reduction}", nn.BCELoss(reduction=reduction), probabilities, of_pair)
    for ours, theirs in (("mean", "batchmean"), ("sum", "sum")):
        case(f"kl_divergence_{ours}", nn.KLDivLoss(reduction=theirs),
             {"x": numbers(4, 5).log_softmax(-1), "t": numbers(4, 5).softmax(-1)}, of_pair)
    labels = torch.tensor([2, 0, -100, 4])
    case("nll_loss", nn.NLLLoss(), {"x": numbers(4, 5).log_softmax(-1)},
         lambda m, x: m(x["x"], labels), {"labels": labels})


def ctc():
    """Row 1 is shorter; row 2 has no labels; "2 2 2" of row 3 needs five frames and gets four."""
    labels = torch.tensor([[1, 2, 2], [3, 1, 0], [0, 0, 0], [2, 2, 2]])
    lengths, counts = torch.tensor([6, 5, 3, 4]), torch.tensor([3, 2, 0, 3])
    for reduction in ("mean", "sum", "none"):
        loss = nn.CTCLoss(reduction=reduction, zero_infinity=True)
        case(f"ctc_loss_{reduction}", loss, {"logits": 2 * numbers(4, 6, 4)},
             lambda m, x: m(x["logits"].log_softmax(-1).transpose(0, 1), labels, lengths, counts),
             {"labels": labels, "lengths": lengths, "label_lengths": counts})
    other = nn.CTCLoss(blank=3, reduction="none")
    case("ctc_loss_other_blank", other, {"logits": 2 * numbers(2, 6, 4)},
         lambda m, x: m(x["logits"].log_softmax(-1).transpose(0, 1), torch.tensor([[0, 2], [1, 1]]),
                        torch.tensor([6, 6]), torch.tensor([2, 2])),
         {"labels": torch.tensor([[0, 2], [1, 1]])})


def recurrent_layers():
    lengths = torch.tensor([4, 2])
    for name, make in (("rnn", nn.RNN), ("gru", nn.GRU), ("lstm", nn.LSTM)):
        module = shaken(make(3, 2, num_layers=2, bidirectional=True, batch_first=True))

        def padded(m, x):
            packed = nn.utils.rnn.pack_padded_sequence(x["x"], lengths, batch_first=True)
            return nn.utils.rnn.pad_packed_sequence(m(packed)[0], batch_first=True)[0]

        case(name, module, {"x": numbers(2, 4, 3)}, padded, {"lengths": lengths},
             extra_state=name == "lstm")


def attention_layers():
    inputs = lambda: {"q": numbers(2, 3, 4), "k": numbers(2, 5, 4), "v": numbers(2, 5, 4)}
    plain = lambda m, x: m(x["q"], x["k"], x["v"], need_weights=False)[0]
    case("multi_head", shaken(nn.MultiheadAttention(4, 2, batch_first=True)), inputs(), plain)
    case("multi_head_no_bias",
         shaken(nn.MultiheadAttention(4, 2, bias=False, batch_first=True)), inputs(), plain)

    other = {"q": numbers(2, 3, 4), "k": numbers(2, 5, 3), "v": numbers(2, 5, 2)}
    case("multi_head_widths",
         shaken(nn.MultiheadAttention(4, 2, kdim=3, vdim=2, batch_first=True)), other, plain)

    # True means "may not attend" in PyTorch. Stored is the opposite, 1 = may attend.
    padding = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    case("multi_head_padding", shaken(nn.MultiheadAttention(4, 2, batch_first=True)), inputs(),
         lambda m, x: m(x["q"], x["k"], x["v"], key_padding_mask=padding, need_weights=False)[0],
         {"mask": ~padding[:, None, :]})
    future = torch.ones(4, 4, dtype=torch.bool).triu(1)
    case("multi_head_causal", shaken(nn.MultiheadAttention(4, 2, batch_first=True)),
         {"x": numbers(2, 4, 4)},
         lambda m, x: m(x["x"], x["x"], x["x"], attn_mask=future, need_weights=False)[0])
    bias = numbers(3, 5)
    case("multi_head_weights", shaken(nn.MultiheadAttention(4, 2, batch_first=True)), inputs(),
         lambda m, x: m(x["q"], x["k"], x["v"], attn_mask=bias, average_attn_weights=False)[1],
         {"bias": bias})


def transformer_layers():
    padding = torch.tensor([[False] * 4, [False] * 3 + [True]])
    future = torch.ones(3, 3, dtype=torch.bool).triu(1)
    for order in ("post", "pre"):
        options = dict(dropout=0.0, norm_first=order == "pre", batch_first=True)
        for activation in ("relu", "gelu"):
            layer = shaken(nn.TransformerEncoderLayer(4, 2, 6, activation=activation, **options))
            # PyTorch's fused inference path is not taken, for gradients are wanted.
            case(f"encoder_layer_{order}_{activation}", layer, {"x": numbers(2, 4, 4)},
                 lambda m, x: m(x["x"], src_key_padding_mask=padding),
                 {"mask": ~padding[:, None, :]})
        layer = shaken(nn.TransformerDecoderLayer(4, 2, 6, **options))
        case(f"decoder_layer_{order}", layer, {"x": numbers(2, 3, 4), "memory": numbers(2, 4, 4)},
             lambda m, x: m(x["x"], x["memory"], tgt_mask=future, memory_key_padding_mask=padding),
             {"mask": ~padding[:, None, :]})

    layer = nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0, norm_first=True, batch_first=True)
    encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(4), enable_nested_tensor=False)
    case("encoder", shaken(encoder), {"x": numbers(2, 4, 4)}, lambda m, x: m(x["x"]))
    whole = shaken(nn.Transformer(4, 2, 2, 1, 6, dropout=0.0, batch_first=True))
    case("transformer", whole, {"x": numbers(2, 4, 4), "y": numbers(2, 3, 4)},
         lambda m, x: m(x["x"], x["y"], tgt_mask=future), extra_state=True)


def operations():
    """All in one file: "<operation>.input.<i>", .output, .covector and .gradient.<i> of each."""
    x, y = numbers(3, 4), numbers(3, 4)
    positive = torch.rand(3, 4) + 0.5
    zeros = torch.tensor([[2.0, 0, 3, 4], [0, 5, 0, 1], [1, 2, 3, 4]])
    table = {
        "log1p": (torch.log1p, positive),
        "expm1": (torch.expm1, x),
        "atan": (torch.atan, x),
        "logsigmoid": (nn.functional.logsigmoid, x),
        "round": (torch.round, 3 * x),
        "clamp": (lambda a: torch.clamp(a, -0.5, 0.5), torch.cat([x, torch.full((1, 4), 0.5)])),
        "atan2": (torch.atan2, x, y),
        "logaddexp": (torch.logaddexp, x, y),
        "std": (lambda a: a.std(1), x),
        "var": (lambda a: a.var(0, keepdim=True), x),
        "norm": (lambda a: torch.linalg.vector_norm(a, 2, 1), x),
        "norm_3": (lambda a: torch.linalg.vector_norm(a, 3, 0), x),
        "norm_of_zeros": (lambda a: torch.linalg.vector_norm(a, 2, 1), 0 * x),
        "prod": (lambda a: a.prod(1), zeros),
        "cumsum": (lambda a: a.cumsum(1), x),
        "cumprod": (lambda a: a.cumprod(1), x),
        "max": (lambda a: a.max(1).values, x),
        "min": (lambda a: a.min(0, keepdim=True).values, x),
        "amax": (lambda a: a.amax(1), torch.cat([x, x], 1)),  # each maximum twice
        "sort": (lambda a: a.sort(1).values, x),
        "sort_descending": (lambda a: a.sort(0, descending=True).values, x),
        "topk": (lambda a: a.topk(2, 1).values, x),
        "topk_smallest": (lambda a: a.topk(2, 0, largest=False).values, x),
        "tril": (lambda a: a.tril(-1), x),
        "triu": (lambda a: a.triu(1), x),
        "diag": (lambda a: a.diag(1), x),
        "diag_of_vector": (lambda a: a.diag(-1), numbers(3)),
        "diagonal": (lambda a: a.diagonal(1, 0, 2), numbers(3, 2, 4)),
        "outer": (torch.outer, numbers(3), numbers(2)),
        "dot": (torch.dot, numbers(3), numbers(3)),
        "repeat": (lambda a: a.repeat(2, 1, 3), x),
        "repeat_interleave": (lambda a: a.repeat_interleave(2, 1), x),
        "roll": (lambda a: a.roll(1, 1), x),
        "split": (lambda a: a.split(3, 1)[1] * a.split([2, 1, 1], 1)[1], x),
        "chunk": (lambda a: a.chunk(2, 1)[1], x),
        "einsum": (lambda a, b: torch.einsum("bij,bkj->kbi", a, b), numbers(2, 3, 4),
                   numbers(2, 5, 4)),
        "einsum_three": (lambda a, b, c: torch.einsum("ij,jk,ik->j", a, b, c), numbers(2, 3),
                         numbers(3, 4), numbers(2, 4)),
        "einsum_diagonal": (lambda a: torch.einsum("iji->j", a), numbers(3, 2, 3)),
        "masked_select": (lambda a: a.masked_select(torch.tensor([True, False, True, True])), x),
        "cumprod_of_zeros": (lambda a: a.cumprod(1), zeros),
    }
    tensors = {}
    for name, (f, *inputs) in table.items():
        leaves = [a.clone().requires_grad_() for a in inputs]
        output = f(*leaves)
        covector = torch.randn_like(output)
        (covector * output).sum().backward()
        tensors[f"{name}.output"] = output
        tensors[f"{name}.covector"] = covector
        for i, leaf in enumerate(leaves):
            tensors[f"{name}.input.{i}"] = leaf
            tensors[f"{name}.gradient.{i}"] = leaf.grad
    # Where the values of sort() and topk() come from, as float64 like all integers here.
    tensors["sort.indices"] = x.sort(1).indices
    tensors["topk.indices"] = x.topk(2, 1).indices
    tensors["nonzero"] = zeros.nonzero()
    tensors["bincount"] = tensors["sort.indices"].flatten().bincount(minlength=6)
    write("operations", tensors)


def adamw():
    """Ten steps on sum(c (x W' + b)^2); the parameters after each."""
    module = shaken(nn.Linear(3, 2))
    x, c = numbers(4, 3), torch.rand(4, 2)
    optimiser = torch.optim.AdamW(
        module.parameters(), lr=0.05, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.1)
    tensors = {"input.x": x, "input.c": c,
               "parameter.weight": module.weight, "parameter.bias": module.bias}
    tensors = {k: v.detach().clone() for k, v in tensors.items()}
    for step in range(1, 11):
        optimiser.zero_grad()
        (c * module(x) ** 2).sum().backward()
        optimiser.step()
        tensors[f"step.{step}.weight"] = module.weight.detach().clone()
        tensors[f"step.{step}.bias"] = module.bias.detach().clone()
    write("adamw", tensors)


def optimisers():
    """Five steps of each optimiser on the same loss, sum(c (x W' + b)^2); the parameters after each."""
    torch.manual_seed(2)
    x, c = numbers(4, 3), torch.rand(4, 2)
    start = shaken(nn.Linear(3, 2)).state_dict()
    tensors = {"input.x": x, "input.c": c,
               "parameter.weight": start["weight"], "parameter.bias": start["bias"]}
    for name, make in (
            ("sgd", lambda p: torch.optim.SGD(p, lr=0.02, weight_decay=0.1)),
            ("sgd_momentum", lambda p: torch.optim.SGD(p, lr=0.02, momentum=0.9, weight_decay=0.1)),
            ("sgd_nesterov", lambda p: torch.optim.SGD(p, lr=0.02, momentum=0.8, nesterov=True)),
            ("adam", lambda p: torch.optim.Adam(
                p, lr=0.05, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.1)),
            ("adamw", lambda p: torch.optim.AdamW(p, lr=0.05)),
            ("rmsprop", lambda p: torch.optim.RMSprop(p, lr=0.01, alpha=0.9, weight_decay=0.1)),
            ("rmsprop_momentum", lambda p: torch.optim.RMSprop(p, lr=0.01, momentum=0.5))):
        module = nn.Linear(3, 2)
        module.load_state_dict(start)
        optimiser = make(module.parameters())
        ema = torch.optim.swa_utils.AveragedModel(
            module, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9))
        mean = torch.optim.swa_utils.AveragedModel(module)
        for step in range(1, 6):
            optimiser.zero_grad()
            (c * module(x) ** 2).sum().backward()
            optimiser.step()
            ema.update_parameters(module)
            mean.update_parameters(module)
            for key, p in module.named_parameters():
                tensors[f"{name}.{step}.{key}"] = p.detach().clone()
        for kind, average in (("ema", ema), ("mean", mean)):
            for key, p in average.module.named_parameters():
                tensors[f"{name}.{kind}.{key}"] = p.detach().clone()
    write("optimisers", tensors)


def schedules():
    """The factor on the learning rate at each of 20 updates, for the schedules that PyTorch has."""
    lr = torch.optim.lr_scheduler
    tensors = {}
    for name, make in (
            ("cosine", lambda o: lr.CosineAnnealingLR(o, 20, eta_min=0.1)),
            ("step_decay", lambda o: lr.StepLR(o, 6, gamma=0.5)),
            ("exponential", lambda o: lr.ExponentialLR(o, 0.9)),
            ("linear_decay", lambda o: lr.LinearLR(o, 1.0, 0.2, 20)),
            ("one_cycle", lambda o: lr.OneCycleLR(o, 1.0, total_steps=20, pct_start=0.4))):
        optimiser = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=1.0)
        schedule = make(optimiser)
        factors = []
        for step in range(20):
            factors.append(optimiser.param_groups[0]["lr"])
            optimiser.step()
            schedule.step()
        tensors[name] = torch.tensor(factors)
    write("schedules", tensors)


def wide_layers():
    plain = lambda m, x: m(x["x"])
    wide = lambda name, *rest, **more: case("wide_" + name, *rest, single=True, **more)
    wide("linear", shaken(nn.Linear(72, 41)), {"x": numbers(3, 17, 72)}, plain)
    wide("layer_norm", shaken(nn.LayerNorm(131)), {"x": numbers(5, 7, 131)}, plain)
    ids = torch.randint(0, 37, (5, 9))
    wide("embedding", shaken(nn.Embedding(37, 24, padding_idx=0)), {}, lambda m, x: m(ids),
         {"ids": ids})
    labels = torch.randint(0, 71, (33,))
    labels[[2, 20]] = -100
    wide("cross_entropy", nn.CrossEntropyLoss(label_smoothing=0.1), {"logits": 3 * numbers(33, 71)},
         lambda m, x: m(x["logits"], labels), {"labels": labels})
    wide("conv2d", shaken(nn.Conv2d(5, 9, 3, padding=1)), {"x": numbers(2, 5, 11, 13)}, plain)


def wide_recurrent_layers():
    """All states: the outputs, and the final states, from initial states that are not 0."""
    lengths = torch.tensor([7, 3, 5, 1])
    for name, make, options in (("rnn", nn.RNN, {}), ("rnn_relu", nn.RNN, {"nonlinearity": "relu"}),
                                ("gru", nn.GRU, {}), ("lstm", nn.LSTM, {})):
        module = make(13, 19, num_layers=2, bidirectional=True, batch_first=True, **options)
        inputs = {"x": numbers(4, 7, 13), "hidden": numbers(4, 4, 19)}
        if name == "lstm":
            inputs["cell"] = numbers(4, 4, 19)

        def all_states(m, x):
            packed = nn.utils.rnn.pack_padded_sequence(x["x"], lengths, True, enforce_sorted=False)
            output, final = m(packed, (x["hidden"], x["cell"]) if name == "lstm" else x["hidden"])
            output = nn.utils.rnn.pad_packed_sequence(output, True)[0]
            final = final if name == "lstm" else (final,)
            return torch.cat([y.reshape(-1) for y in (output, *final)])

        case("wide_" + name, module, inputs, all_states, {"lengths": lengths}, single=True)


def wide_attention():
    inputs = lambda: {"q": numbers(2, 23, 36), "k": numbers(2, 37, 36), "v": numbers(2, 37, 36)}
    lengths = torch.tensor([37, 11])
    padding = torch.arange(37)[None, :] >= lengths[:, None]
    case("wide_multi_head", shaken(nn.MultiheadAttention(36, 3, batch_first=True)), inputs(),
         lambda m, x: m(x["q"], x["k"], x["v"], key_padding_mask=padding, need_weights=False)[0],
         {"lengths": lengths}, single=True)
    future = torch.ones(40, 40, dtype=torch.bool).triu(1)
    case("wide_multi_head_causal", shaken(nn.MultiheadAttention(36, 3, batch_first=True)),
         {"x": numbers(2, 40, 36)},
         lambda m, x: m(x["x"], x["x"], x["x"], attn_mask=future, need_weights=False)[0],
         single=True)


def wide_transformers():
    """The whole nn.Transformer in both orders, with padding on both sides."""
    lengths = torch.tensor([11, 6])
    padding = torch.arange(11)[None, :] >= lengths[:, None]
    future = torch.ones(8, 8, dtype=torch.bool).triu(1)
    for order in ("post", "pre"):
        model = nn.Transformer(20, 4, 1, 1, 28, dropout=0.0, batch_first=True,
                               norm_first=order == "pre", activation="gelu")
        case(f"wide_transformer_{order}", shaken(model),
             {"x": numbers(2, 11, 20), "y": numbers(2, 8, 20)},
             lambda m, x: m(x["x"], x["y"], tgt_mask=future, src_key_padding_mask=padding,
                            memory_key_padding_mask=padding),
             {"lengths": lengths}, single=True)


class Positions(nn.Module):
    def __init__(self, count, width):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(count, width))


class Gpt(nn.Module):
    """A decoder-only language model of PyTorch's parts: pre-norm layers with GELU by tanh, learned
    positions, the table of embeddings as the weight of the head."""

    def __init__(self, vocabulary, width, heads, layers, longest):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.positions = Positions(longest, width)
        layer = nn.TransformerEncoderLayer(
            width, heads, 4 * width, dropout=0.0, norm_first=True, batch_first=True,
            activation=lambda x: nn.functional.gelu(x, approximate="tanh"))
        self.decoder = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width),
                                             enable_nested_tensor=False)

    def forward(self, ids):
        n = ids.shape[1]
        future = torch.ones(n, n, dtype=torch.bool).triu(1)
        x = self.decoder(self.embedding(ids) + self.positions.table[:n], mask=future)
        return x @ self.embedding.weight.T


def language_model():
    """Logits and gradients of a GPT, and six steps of training it: AdamW, clipping, a schedule."""
    model = shaken(Gpt(17, 16, 4, 2, 12))
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(0.5)
    ids, target = torch.randint(0, 17, (3, 10)), torch.randint(0, 17, (3, 10))
    target[0, 7:] = -1
    loss = nn.CrossEntropyLoss(ignore_index=-1)
    case("wide_gpt", model, {}, lambda m, x: m(ids), {"ids": ids}, single=True)
    tensors = {"input.ids": ids, "input.target": target}
    for key, p in model.named_parameters():
        tensors["parameter." + key] = p.detach().clone()
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.02, betas=(0.9, 0.99), eps=1e-6,
                                  weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, 6, eta_min=0.002)
    losses, norms = [], []
    for _ in range(6):
        optimiser.zero_grad()
        y = loss(model(ids).reshape(-1, 17), target.reshape(-1))
        y.backward()
        # As clip_grad_norm_, without the 1e-6 that it adds to the norm.
        norm = torch.nn.utils.get_total_norm([p.grad for p in model.parameters()])
        for p in model.parameters():
            p.grad.mul_(min(1, 0.5 / norm.item()))
        norms.append(norm)
        optimiser.step()
        schedule.step()
        losses.append(y)
    tensors["losses"], tensors["norms"] = torch.stack(losses), torch.stack(norms)
    for key, p in model.named_parameters():
        tensors["trained." + key] = p
    write("wide_gpt_training", tensors, single=("input.", "parameter."))


class Named(nn.Module):
    """A module that only gives names to others."""

    def __init__(self, /, **parts):  # one of the parts is called "self"
        super().__init__()
        for name, part in parts.items():
            self.add_module(name, part)


class Bert(nn.Module):
    """BERT with both heads for pre-training (Devlin et al. 2019), its parameters named as in the
    published files."""

    def __init__(self, vocabulary, width, heads, layers, hidden, positions):
        super().__init__()
        norm = lambda: nn.LayerNorm(width, eps=1e-12)
        dense = lambda i, o: Named(dense=nn.Linear(i, o))
        self.heads = heads
        layer = lambda: Named(
            attention=Named(
                self=Named(query=nn.Linear(width, width), key=nn.Linear(width, width),
                           value=nn.Linear(width, width)),
                output=Named(dense=nn.Linear(width, width), LayerNorm=norm())),
            intermediate=dense(width, hidden),
            output=Named(dense=nn.Linear(hidden, width), LayerNorm=norm()))
        self.bert = Named(
            embeddings=Named(word_embeddings=nn.Embedding(vocabulary, width),
                             position_embeddings=nn.Embedding(positions, width),
                             token_type_embeddings=nn.Embedding(2, width), LayerNorm=norm()),
            encoder=Named(layer=nn.ModuleList(layer() for _ in range(layers))),
            pooler=dense(width, width))
        predictions = Named(transform=Named(dense=nn.Linear(width, width), LayerNorm=norm()))
        predictions.bias = nn.Parameter(torch.zeros(vocabulary))
        self.cls = Named(predictions=predictions, seq_relationship=nn.Linear(width, 2))

    def attend(self, part, x, mask):
        split = lambda t: t.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        q, k, v = (split(getattr(part, name)(x)) for name in ("query", "key", "value"))
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        weights = scores.masked_fill(mask[:, None] == 0, -torch.inf).softmax(-1)
        return (weights @ v).transpose(1, 2).flatten(-2)

    def forward(self, ids, segments, mask):
        parts, head = self.bert.embeddings, self.cls.predictions
        x = parts.LayerNorm(parts.word_embeddings(ids) + parts.token_type_embeddings(segments)
                            + parts.position_embeddings(torch.arange(ids.shape[1])))
        for layer in self.bert.encoder.layer:
            context = self.attend(getattr(layer.attention, "self"), x, mask)
            x = layer.attention.output.LayerNorm(x + layer.attention.output.dense(context))
            units = nn.functional.gelu(layer.intermediate.dense(x))
            x = layer.output.LayerNorm(x + layer.output.dense(units))
        pooled = torch.tanh(self.bert.pooler.dense(x[:, 0]))
        y = head.transform.LayerNorm(nn.functional.gelu(head.transform.dense(x)))
        tokens = y @ parts.word_embeddings.weight.T + head.bias
        return torch.cat([tokens.flatten(), self.cls.seq_relationship(pooled).flatten()])


def bert():
    model = shaken(Bert(11, 8, 2, 2, 12, 6))
    ids = torch.randint(0, 11, (2, 5))
    segments = torch.tensor([[0, 0, 0, 1, 1], [0, 1, 1, 1, 1]])
    mask = torch.tensor([[[1, 1, 1, 1, 1]], [[1, 1, 1, 0, 0]]])
    case("bert", model, {}, lambda m, x: m(ids, segments, mask),
         {"ids": ids, "segments": segments, "mask": mask})


def clipping():
    """Gradients before and after clip_grad_norm_ and clip_grad_value_."""
    tensors = {}
    gradients = [numbers(3, 4), 3 * numbers(5), numbers(2, 2)]
    for i, g in enumerate(gradients):
        tensors[f"gradient.{i}"] = g
    for name, clip in (("norm_tight", lambda p: nn.utils.clip_grad_norm_(p, 1.5)),
                       ("norm_loose", lambda p: nn.utils.clip_grad_norm_(p, 1e3)),
                       ("value", lambda p: nn.utils.clip_grad_value_(p, 0.4))):
        parameters = [nn.Parameter(torch.zeros_like(g)) for g in gradients]
        for p, g in zip(parameters, gradients):
            p.grad = g.clone()
        norm = clip(parameters)
        if norm is not None:
            tensors[f"{name}.norm"] = norm
        for i, p in enumerate(parameters):
            tensors[f"{name}.{i}"] = p.grad
    write("clipping", tensors)


class Table(nn.Module):
    def __init__(self, rows, width):
        super().__init__()
        self.table = nn.Parameter(0.5 * numbers(rows, width))


class VisionTransformer(nn.Module):
    """Of torch.nn's parts: four patches, a class token, learned positions, pre-norm encoder."""

    def __init__(self, pooling):
        super().__init__()
        self.patches = nn.Conv2d(2, 4, (2, 3), stride=(2, 3))
        if pooling == "class_token":
            self.class_token = nn.Parameter(numbers(4))
        self.positions = Table(5 if pooling == "class_token" else 4, 4)
        layer = nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0, activation="gelu",
                                           norm_first=True, layer_norm_eps=1e-6, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(4, eps=1e-6),
                                             enable_nested_tensor=False)
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        y = self.patches(x).flatten(2).transpose(1, 2)
        if hasattr(self, "class_token"):
            y = torch.cat([self.class_token.expand(len(y), 1, -1), y], 1)
        y = self.encoder(y + self.positions.table)
        return self.head(y[:, 0] if hasattr(self, "class_token") else y.mean(1))


class ConformerConvolution(nn.Module):
    def __init__(self, width, kernel):
        super().__init__()
        self.expand = nn.Linear(width, 2 * width)
        self.depthwise = nn.Conv1d(width, width, kernel, padding=kernel // 2, groups=width)
        self.norm = nn.BatchNorm1d(width)
        self.project = nn.Linear(width, width)

    def forward(self, x):
        pointwise = lambda layer, y: nn.functional.conv1d(y, layer.weight[:, :, None], layer.bias)
        y = nn.functional.glu(pointwise(self.expand, x.transpose(1, 2)), dim=1)
        y = nn.functional.silu(self.norm(self.depthwise(y)))
        return pointwise(self.project, y).transpose(1, 2)


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.hidden, self.output = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x):
        return self.output(nn.functional.silu(self.hidden(x)))


class ConformerBlock(nn.Module):
    """Of torch.nn's parts, without positions. The names are those of heed's ConformerBlock, but for
    attention and its norm, which heed translates to those of nn.TransformerEncoderLayer."""

    def __init__(self, width=4, heads=2, hidden=6, kernel=3):
        super().__init__()
        self.first_feed_forward = FeedForward(width, hidden)
        self.first_feed_forward_norm = nn.LayerNorm(width)
        self.self_attn = nn.MultiheadAttention(width, heads, batch_first=True)
        self.norm1 = nn.LayerNorm(width)
        self.convolution = ConformerConvolution(width, kernel)
        self.convolution_norm = nn.LayerNorm(width)
        self.second_feed_forward = FeedForward(width, hidden)
        self.second_feed_forward_norm = nn.LayerNorm(width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        x = x + 0.5 * self.first_feed_forward(self.first_feed_forward_norm(x))
        y = self.norm1(x)
        x = x + self.self_attn(y, y, y, need_weights=False)[0]
        x = x + self.convolution(self.convolution_norm(x))
        x = x + 0.5 * self.second_feed_forward(self.second_feed_forward_norm(x))
        return self.norm(x)


class ContrastivePair(nn.Module):
    """As in the pseudo-code of Radford et al. 2021, figure 3."""

    def __init__(self):
        super().__init__()
        self.first_projection = nn.Linear(3, 4, bias=False)
        self.second_projection = nn.Linear(5, 4, bias=False)
        self.log_scale = nn.Parameter(torch.tensor(0.7))

    def forward(self, a, b):
        a = nn.functional.normalize(self.first_projection(a), dim=1)
        b = nn.functional.normalize(self.second_projection(b), dim=1)
        logits = a @ b.T * self.log_scale.exp()
        own = torch.arange(len(a))
        return (nn.functional.cross_entropy(logits, own) +
                nn.functional.cross_entropy(logits.T, own)) / 2


def modalities():
    plain = lambda m, x: m(x["x"])
    for kind in ("bilinear", "bicubic"):
        for name, size in (("larger", (5, 9)), ("smaller", (2, 3))):
            case(f"interpolate_{kind}_{name}", nn.Upsample(size, mode=kind), {"x": numbers(2, 3, 3, 4)},
                 plain)
    for pooling in ("class_token", "mean"):
        case("vision_transformer_" + pooling, shaken(VisionTransformer(pooling)),
             {"x": numbers(2, 2, 4, 6)}, plain)
    block = shaken(ConformerBlock())
    block.convolution.norm(2 * numbers(3, 4, 5) + 1)
    before = {"before." + k: v.clone() for k, v in block.named_buffers()}
    case("conformer_block", block, {"x": numbers(2, 5, 4)}, plain, before)
    block.zero_grad()
    block.eval()
    case("conformer_block_eval", block, {"x": numbers(2, 5, 4)}, plain,
         {"before." + k: v for k, v in block.named_buffers()})
    case("contrastive_pair", shaken(ContrastivePair()), {"a": numbers(4, 3), "b": numbers(4, 5)},
         lambda m, x: m(x["a"], x["b"]))


def grouped_queries():
    # Four heads of queries share two of keys and values. Without parameters.
    for name, options in (("grouped_queries", {}), ("grouped_queries_causal", {"is_causal": True})):
        case(name, nn.Identity(),
             {"q": numbers(2, 4, 5, 6), "k": numbers(2, 2, 5, 6), "v": numbers(2, 2, 5, 3)},
             lambda m, x, options=options: nn.functional.scaled_dot_product_attention(
                 x["q"], x["k"], x["v"], enable_gqa=True, **options))


class Experts(nn.Module):
    """Top-k routing as in Mixtral (softmax over the k largest scores) and, not renormalised, as in
    Switch (softmax over all): every expert computes every token, and weights of 0 hide the others."""

    def __init__(self, experts, k, renormalise, gated):
        super().__init__()
        self.k, self.renormalise = k, renormalise
        self.router = nn.Linear(4, experts, bias=False)
        layers = lambda: dict(hidden=nn.Linear(4, 6), output=nn.Linear(6, 4),
                              **(dict(gate=nn.Linear(4, 6)) if gated else {}))
        self.experts = nn.ModuleList(Named(**layers()) for _ in range(experts))

    def forward(self, x):
        probability = self.router(x).softmax(-1)
        weights, chosen = probability.topk(self.k, -1)
        if self.renormalise:
            weights = weights / weights.sum(-1, keepdim=True)
        dense = torch.zeros_like(probability).scatter(-1, chosen, weights)
        silu = nn.functional.silu
        one = lambda e: e.output(silu(e.gate(x)) * e.hidden(x) if hasattr(e, "gate") else
                                 silu(e.hidden(x)))
        return sum(dense[..., i, None] * one(e) for i, e in enumerate(self.experts))


def experts():
    for name, arguments in (("experts_mixtral", (4, 2, True, True)),
                            ("experts_switch", (4, 1, False, False))):
        case(name, shaken(Experts(*arguments)), {"x": numbers(2, 6, 4)}, lambda m, x: m(x["x"]))


torch.manual_seed(1)
simple_layers()
recurrent_layers()
attention_layers()
transformer_layers()
adamw()
torch.manual_seed(2)
convolutions()
normalisations()
losses()
optimisers()
schedules()
torch.manual_seed(3)
operations()
torch.manual_seed(4)
wide_layers()
wide_recurrent_layers()
wide_attention()
wide_transformers()
language_model()
clipping()
torch.manual_seed(5)
modalities()
bert()
torch.manual_seed(6)
grouped_queries()
torch.manual_seed(7)
experts()
torch.manual_seed(8)
ctc()
