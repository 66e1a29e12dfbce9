#!/usr/bin/env python3
"""Writes two modules of the package `transformers` in float64, under our names, as make.py writes its cases:

    experts_transformers    MixtralSparseMoeBlock
    latent_attention        DeepseekV2Attention, causal, without its norm of the latents, which ours leaves out

    python tests/parity/modules.py       # from the root; made with transformers 5.24
"""
import pathlib

import torch
from safetensors.torch import save_file
from transformers import DeepseekV2Config, MixtralConfig
from transformers.models.deepseek_v2.modeling_deepseek_v2 import DeepseekV2Attention
from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock

torch.manual_seed(1)
torch.set_default_dtype(torch.float64)
# They would compute the router's softmax and the rotations in float32.
torch.Tensor.float = lambda x: x.double().contiguous()


def case(name, module, x, call, named):
    """named(theirs) renames a function of their parameters, here the parameters and their gradients."""
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(0.7 * torch.randn_like(p))
    y = call(x.requires_grad_())
    covector = torch.randn_like(y)
    (covector * y).sum().backward()
    theirs = dict(module.named_parameters())
    tensors = {"input.x": x, "gradient.x": x.grad, "output": y, "covector": covector}
    tensors |= {"parameter." + k: v for k, v in named(theirs).items()}
    tensors |= {"gradient." + k: v for k, v in named({k: p.grad for k, p in theirs.items()}).items()}
    path = pathlib.Path(__file__).parent / f"{name}.safetensors"
    save_file({k: v.detach().contiguous().clone() for k, v in tensors.items()}, path)
    path.chmod(0o644)


def experts_named(theirs):
    named = {"router.weight": theirs["gate.weight"]}
    for e in range(4):
        gate, hidden = theirs["experts.gate_up_proj"][e].chunk(2)
        named |= {f"experts.{e}.gate.weight": gate, f"experts.{e}.hidden.weight": hidden,
                  f"experts.{e}.output.weight": theirs["experts.down_proj"][e]}
    return named


experts = MixtralSparseMoeBlock(MixtralConfig(hidden_size=4, intermediate_size=6, num_local_experts=4,
                                              num_experts_per_tok=2, router_jitter_noise=0.0))
case("experts_transformers", experts, torch.randn(2, 6, 4), experts, experts_named)

T, D, H, W, R, C = 5, 12, 3, 4, 2, 5


def latent_named(theirs):
    """Their matrices hold, for each head, the rows of two of ours."""
    q = theirs["q_proj.weight"].view(H, W + R, D)
    kv = theirs["kv_b_proj.weight"].view(H, 2 * W, C)
    down = theirs["kv_a_proj_with_mqa.weight"]
    return {"query.weight": q[:, :W].reshape(D, D), "rotary_query.weight": q[:, W:].reshape(H * R, D),
            "down.weight": down[:C], "rotary_key.weight": down[C:],
            "key.weight": kv[:, :W].reshape(D, C), "value.weight": kv[:, W:].reshape(D, C),
            "output.weight": theirs["o_proj.weight"]}


config = DeepseekV2Config(hidden_size=D, num_attention_heads=H, num_key_value_heads=H, q_lora_rank=None,
                          kv_lora_rank=C, qk_rope_head_dim=R, qk_nope_head_dim=W, v_head_dim=W)
config._attn_implementation = "sdpa"
latent = DeepseekV2Attention(config, layer_idx=0)
latent.kv_a_layernorm = torch.nn.Identity()
angles = torch.arange(T, dtype=torch.float64)[None, :, None] * 10000 ** (-torch.arange(0, R, 2) / R)
future = torch.full((T, T), -torch.inf).triu(1)[None, None]
case("latent_attention", latent, torch.randn(2, T, D),
     lambda x: latent(x, attention_mask=future, position_embeddings=torch.polar(torch.ones_like(angles), angles))[0],
     latent_named)
