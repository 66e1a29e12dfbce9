#!/usr/bin/env python3
"""Conversations as the chat templates of published models write them, for tests/course/test_conversation.cpp.

    python tests/parity/chats.py [--cases 6] [--seed 1] > tests/parity/chats.json

The templates are rendered as
`transformers` does, with jinja2, and encoded by `tokenizers` with small vocabularies that are learned here.
"""
import argparse
import json
import random
import sys

import tokenizers
from jinja2.sandbox import ImmutableSandboxedEnvironment
from tokenizers import decoders, models, trainers

from random_texts import WORDS, pre_tokenizer_of
from sentence_pieces import pieces, training_texts

# As published with SmolLM2, Qwen2, Llama 3, TinyLlama (which is Zephyr's), Llama 2, and three times Mistral.
TEMPLATES = {
    "SmolLM2": "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
    "Qwen2": "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
    "Llama 3": "{% set loop_messages = messages %}{% for message in loop_messages %}{% set content = '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' %}{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}{{ content }}{% endfor %}{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}",
    "TinyLlama": "{% for message in messages %}\n{% if message['role'] == 'user' %}\n{{ '<|user|>\n' + message['content'] + eos_token }}\n{% elif message['role'] == 'system' %}\n{{ '<|system|>\n' + message['content'] + eos_token }}\n{% elif message['role'] == 'assistant' %}\n{{ '<|assistant|>\n'  + message['content'] + eos_token }}\n{% endif %}\n{% if loop.last and add_generation_prompt %}\n{{ '<|assistant|>' }}\n{% endif %}\n{% endfor %}",
    "Llama 2": "{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system_message = messages[0]['content'] %}{% else %}{% set loop_messages = messages %}{% set system_message = false %}{% endif %}{% for message in loop_messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if loop.index0 == 0 and system_message != false %}{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}{% else %}{% set content = message['content'] %}{% endif %}{% if message['role'] == 'user' %}{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ ' '  + content.strip() + ' ' + eos_token }}{% endif %}{% endfor %}",
    "Mistral v0.1": "{{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token + ' ' }}{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}{% endfor %}",
    "Mistral v0.2": "{{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token}}{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}{% endfor %}",
    "Mistral, later": "{%- if messages[0][\"role\"] == \"system\" %}\n    {%- set system_message = messages[0][\"content\"] %}\n    {%- set loop_messages = messages[1:] %}\n{%- else %}\n    {%- set loop_messages = messages %}\n{%- endif %}\n\n{{- bos_token }}\n{%- for message in loop_messages %}\n    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}\n        {{- raise_exception('After the optional system message, conversation roles must alternate user/assistant/user/assistant/...') }}\n    {%- endif %}\n    {%- if message[\"role\"] == \"user\" %}\n        {%- if loop.first and system_message is defined %}\n            {{- \" [INST] \" + system_message + \"\\n\\n\" + message[\"content\"] + \" [/INST]\" }}\n        {%- else %}\n            {{- \" [INST] \" + message[\"content\"] + \" [/INST]\" }}\n        {%- endif %}\n    {%- elif message[\"role\"] == \"assistant\" %}\n        {{- \" \" + message[\"content\"] + eos_token}}\n    {%- else %}\n        {{- raise_exception('Only user and assistant roles are supported, with the exception of an initial optional system message!') }}\n    {%- endif %}\n{%- endfor %}\n",
}
# With which tokenizer each is tried.
KINDS = [("SmolLM2", "smollm"), ("Qwen2", "qwen2"), ("Llama 3", "llama3"), ("TinyLlama", "prepend"), ("TinyLlama", "first"),
         ("Llama 2", "prepend"), ("Llama 2", "first"), ("Mistral v0.1", "prepend"), ("Mistral v0.2", "prepend"),
         ("Mistral, later", "first")]
SPECIALS = ["<|im_start|>", "<|im_end|>", "<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]


def tokenizer_of(kind):
    if kind in ["prepend", "first"]:
        return pieces(training_texts(), 120, spaces=kind, bytes=True)
    made = tokenizers.Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizer_of(kind)
    made.decoder = decoders.ByteLevel()
    made.train_from_iterator(training_texts(), trainers.BpeTrainer(
        vocab_size=320, special_tokens=SPECIALS, show_progress=False,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet()))
    return made


def rendered(template, messages, bos, eos, prompt):
    def raise_exception(message):
        raise ValueError(message)
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = raise_exception
    return environment.from_string(template).render(messages=messages, bos_token=bos, eos_token=eos, add_generation_prompt=prompt)


def text_of(rng):
    words = [w for w in WORDS if w.strip() == w and w[0].isalnum()]  # the answers neither begin nor end with white space
    return rng.choice([" ", "  ", "\n", ", "]).join(rng.choice(words) for _ in range(rng.randint(1, 6)))


def conversation(rng, name, kind, made):
    bos, eos = ("<s>", "</s>") if kind in ["prepend", "first"] else ("<|begin_of_text|>", "<|eot_id|>")
    system = text_of(rng) if rng.random() < 0.5 and name not in ["Mistral v0.1", "Mistral v0.2"] else ""
    messages = [{"role": "system", "content": system}] * bool(system)
    for turn in range(rng.randint(1, 3)):
        # Llama 2 removes white space in front of the system's message and not of the question behind it.
        around = ["", rng.choice(["", " ", "\n"])]
        if not (name == "Llama 2" and system and turn == 0):
            around[0] = rng.choice(["", " ", "\n"])
        messages.append({"role": "user", "content": around[0] + text_of(rng) + around[1]})
        prompt = rendered(TEMPLATES[name], messages, bos, eos, True)
        messages.append({"role": "assistant", "content": text_of(rng)})
        whole = rendered(TEMPLATES[name], messages, bos, eos, False)
        ids = [made.encode(t, add_special_tokens=False).ids for t in [prompt, whole]]
        if ids[1][:len(ids[0])] != ids[0]:  # a token reaches from the prompt into the answer; no model writes that
            return None
    return {"system": system, "questions": [m["content"] for m in messages if m["role"] == "user"],
            "answers": [m["content"] for m in messages if m["role"] == "assistant"], "ids": ids[1]}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--cases", type=int, default=6)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    rng, made = random.Random(options.seed), {kind: tokenizer_of(kind) for kind in dict.fromkeys(k for _, k in KINDS)}
    families, left_out = [], 0
    for name, kind in KINDS:
        cases = []
        while len(cases) < options.cases:
            case = conversation(rng, name, kind, made[kind])
            left_out += case is None
            cases += [case] if case else []
        families.append({"name": name, "tokenizer": kind, "template": TEMPLATES[name], "cases": cases})
    json.dump({"tokenizers": {k: json.loads(t.to_str()) for k, t in made.items()}, "families": families}, sys.stdout)
    print()
    print(f"{left_out} conversations left out", file=sys.stderr)


main()
