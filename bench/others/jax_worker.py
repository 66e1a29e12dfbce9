"""One workload in JAX, compiled by XLA: products, attention, training steps.

    python3 jax_worker.py FILE THREADS [--results FILE]

A twin takes the tensors and sizes that heed saved, and returns two functions: the results that heed must
have too, and the step that is timed, which waits until its results are there.
"""
import argparse
import os
import pathlib
import sys

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("threads", type=int)
parser.add_argument("--results")
options = parser.parse_args()
# XLA has as many threads as the process has processors.
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])

sys.path.append(str(pathlib.Path(__file__).parents[1]))
import protocol  # noqa: E402

before = protocol.peak_bytes()
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

import files  # noqa: E402


def gemm(t, sizes):
    product = jax.jit(lambda x, w: x @ w.T)
    x, w = t["x"], t["w"]
    return lambda: {"output": product(x, w)}, lambda: product(x, w).block_until_ready()


def attend(q, k, v, causal):
    """[batch, heads, length, width], as jax.nn has it with the axes in another order."""
    q, k, v = (x.swapaxes(1, 2) for x in (q, k, v))
    return jax.nn.dot_product_attention(q, k, v, is_causal=causal).swapaxes(1, 2)


def attention(t, sizes):
    inputs, g = [t[name] for name in "qkv"], t["g"]

    @jax.jit
    def both(q, k, v, g):
        y, pull = jax.vjp(lambda *x: attend(*x, bool(sizes["causal"])), q, k, v)
        return y, pull(g)

    def results():
        y, gradients = both(*inputs, g)
        return {"output": y, **{"gradient of " + n: d for n, d in zip("qkv", gradients)}}

    return results, lambda: jax.block_until_ready(both(*inputs, g))


def training(parameters, loss, beta2, decay=0.0):
    """Steps of Adam with a rate of 1e-3, gradients clipped to norm 1; `decay` is of matrices only."""

    def update(p, m, v, count):
        gradient = jax.grad(loss)(p)
        norm = jnp.sqrt(sum(jnp.vdot(g, g) for g in gradient.values()))
        scale, count = jnp.minimum(1.0, 1.0 / (norm + 1e-6)), count + 1
        new = {}, {}, {}
        for name, x in p.items():
            g = scale * gradient[name]
            first = 0.9 * m[name] + 0.1 * g
            second = beta2 * v[name] + (1 - beta2) * g * g
            step = first / (1 - 0.9**count) / (jnp.sqrt(second / (1 - beta2**count)) + 1e-8)
            kept = 1 - 1e-3 * decay if x.ndim >= 2 else 1.0
            for part, value in zip(new, (kept * x - 1e-3 * step, first, second)):
                part[name] = value
        return *new, count

    compiled = jax.jit(update, donate_argnums=(0, 1, 2))

    def start():
        zeros = {name: jnp.zeros_like(x) for name, x in parameters.items()}
        return jax.tree.map(jnp.array, (parameters, zeros, zeros, 0.0))

    state = start()

    def step():
        nonlocal state
        state = compiled(*state)
        jax.block_until_ready(state)

    def results():
        nonlocal state
        value, gradient = jax.jit(jax.value_and_grad(loss))(parameters)
        for _ in range(3):
            step()
        all = {"loss": value}
        for name in parameters:
            all["gradient of " + name] = gradient[name]
            all["change of " + name] = state[0][name] - parameters[name]
        state = start()
        return all

    return results, step


def linear(p, name, x):
    return x @ p[name + ".weight"].T + p[name + ".bias"]


def layer_norm(p, name, x):
    x = x - x.mean(-1, keepdims=True)
    x = x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)
    return x * p[name + ".weight"] + p[name + ".bias"]


def mlp(t, sizes):
    x, target = jnp.array(t.pop("x")), jnp.array(t.pop("t"))

    def loss(p):
        logits = linear(p, "output", jnp.tanh(linear(p, "hidden", x)))
        return (jax.nn.softplus(logits) - target * logits).mean()

    return training(t, loss, 0.999)


def gpt(t, sizes):
    ids, targets = (jnp.array(t.pop(name)).astype(int) for name in ("in", "out"))
    heads = sizes["heads"]

    def block(p, prefix, x):
        batch, length, width = x.shape
        y = layer_norm(p, prefix + "attention_norm", x)
        q, k, v = (
            linear(p, f"{prefix}attention.{name}", y).reshape(batch, length, heads, -1)
            for name in ("query", "key", "value")
        )
        y = jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(batch, length, width)
        x = x + linear(p, prefix + "attention.output", y)
        y = linear(p, prefix + "feed_forward.hidden", layer_norm(p, prefix + "feed_forward_norm", x))
        return x + linear(p, prefix + "feed_forward.output", jax.nn.gelu(y, approximate=True))

    def loss(p):
        x = p["embedding.weight"][ids] + p["positions.table"][: ids.shape[1]]
        for i in range(sizes["layers"]):
            x = block(p, f"decoder.layers.{i}.", x)
        logits = layer_norm(p, "decoder.norm", x) @ p["embedding.weight"].T
        chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], -1)
        return -chosen.mean()

    return training(t, loss, 0.99, decay=0.1)


tensors, facts = files.load(options.file)
twin = {"gemm": gemm, "attention": attention, "mlp": mlp, "gpt": gpt}[facts.pop("kind")]
if twin in (gemm, attention):
    tensors = {name: jnp.array(x) for name, x in tensors.items()}
results, step = twin(tensors, {name: int(size) for name, size in facts.items()})
if options.results:
    files.save(options.results, results())
protocol.serve(step, before)
