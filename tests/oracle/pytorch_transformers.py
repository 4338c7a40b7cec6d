#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""char-gpt and bert-mini against transformers that are put together from PyTorch's own encoder layers.

torch.nn.TransformerEncoderLayer is the same block under other names: norm_first as in GPT-2, else as in BERT. Our initial
weights go into it; both have to give the same logits in fp64.

Exit code 0: all agree and every planted mistake is seen; 1: not; 77: Python lacks torch or safetensors.
"""
import argparse
import sys
import subprocess
import tempfile
from pathlib import Path

try:
    import torch
    import torch.nn.functional as functional
    from safetensors.torch import load_file, save_file
except ImportError as missing:
    print(f"skipped: {sys.executable} has no {missing.name}; set ACCUMULUS_PYTHON to one with torch and safetensors")
    sys.exit(77)

from pytorch_weights import report

VOCABULARY, BLOCK, WIDTH, HEADS, LAYERS, TEXTS = 31, 24, 48, 6, 3, 5
TOLERANCE = 1e-12  # fp64 sums of a few hundred terms, through some 30 operations: measured 4e-14
MISTAKE_IS_SEEN = 1e-6  # the smallest, the other GELU, measured 1.6e-4


def blocks(weights, names, **options):
    """The encoder layers with our weights; `names` maps PyTorch's parameters to (lists of) ours."""
    for i in range(LAYERS):
        layer = torch.nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, dropout=0.0, batch_first=True, **options)
        state = {}
        for theirs, ours in names.items():
            for kind in ("weight", "bias"):
                # The projections of query, key and value are one parameter with an underscore in its name.
                key = theirs + ("_" if theirs == "self_attn.in_proj" else ".") + kind
                state[key] = torch.cat([weights[f"{name.format(i)}.{kind}"] for name in ours])
        layer.load_state_dict(state, strict=True)
        yield layer


def char_gpt(weights, tokens, exact_gelu=False, causal=True, positions=True):
    def activation(x):
        return functional.gelu(x, approximate="none" if exact_gelu else "tanh")
    names = {"self_attn.in_proj": ["transformer.h.{}.attn.c_attn"], "self_attn.out_proj": ["transformer.h.{}.attn.c_proj"],
             "linear1": ["transformer.h.{}.mlp.c_fc"], "linear2": ["transformer.h.{}.mlp.c_proj"],
             "norm1": ["transformer.h.{}.ln_1"], "norm2": ["transformer.h.{}.ln_2"]}
    x = weights["transformer.wte.weight"][tokens]
    if positions:
        x = x + weights["transformer.wpe.weight"]
    mask = torch.nn.Transformer.generate_square_subsequent_mask(BLOCK, dtype=torch.float64) if causal else None
    for layer in blocks(weights, names, norm_first=True, activation=activation):
        x = layer(x, src_mask=mask)
    x = functional.layer_norm(x, (WIDTH,), weights["transformer.ln_f.weight"], weights["transformer.ln_f.bias"])
    return (x @ weights["transformer.wte.weight"].T).flatten(0, 1)


def bert_mini(weights, tokens, norm_first=False):
    def norm(x, name):
        return functional.layer_norm(x, (WIDTH,), weights[f"{name}.weight"], weights[f"{name}.bias"], eps=1e-12)
    layer = "bert.encoder.layer.{}."
    names = {"self_attn.in_proj": [layer + f"attention.self.{part}" for part in ("query", "key", "value")],
             "self_attn.out_proj": [layer + "attention.output.dense"], "linear1": [layer + "intermediate.dense"],
             "linear2": [layer + "output.dense"], "norm1": [layer + "attention.output.LayerNorm"],
             "norm2": [layer + "output.LayerNorm"]}
    embeddings = weights["bert.embeddings.word_embeddings.weight"]
    x = norm(embeddings[tokens] + weights["bert.embeddings.position_embeddings.weight"], "bert.embeddings.LayerNorm")
    for block in blocks(weights, names, activation="gelu", layer_norm_eps=1e-12, norm_first=norm_first):
        x = block(x)
    head = "cls.predictions.transform."
    x = functional.gelu(functional.linear(x, weights[head + "dense.weight"], weights[head + "dense.bias"]))
    x = norm(x, head + "LayerNorm")
    return (x @ embeddings[:VOCABULARY].T + weights["cls.predictions.bias"]).flatten(0, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logits", required=True, help="the helper program model_logits")
    options = parser.parse_args()
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)  # threads that wait for each other are slow beside other tests
    torch.manual_seed(1)
    print(f"PyTorch {torch.__version__}")
    good = True
    mistakes = {"char-gpt": [("the other GELU", {"exact_gelu": True}), ("sees the future", {"causal": False}),
                             ("no positions", {"positions": False})],
                "bert-mini": [("norm before the block", {"norm_first": True})]}
    with tempfile.TemporaryDirectory(prefix="accumulus-oracle-") as folder, torch.no_grad():
        files = [str(Path(folder) / f"{name}.safetensors") for name in ("input", "weights", "output")]
        for name, reference in (("char-gpt", char_gpt), ("bert-mini", bert_mini)):
            settings = [f"model.name={name}", f"model.layers={LAYERS}", f"model.heads={HEADS}", f"model.width={WIDTH}"]

            def ours(tokens, weights):
                save_file({"input": tokens}, files[0])
                subprocess.run([options.logits, files[0], files[2], str(VOCABULARY), weights, *settings], check=True)
                return load_file(files[2])

            # bert-mini knows one token more, the mask.
            tokens = torch.randint(0, VOCABULARY + (name == "bert-mini"), (TEXTS, BLOCK))
            weights = ours(tokens, "7")
            del weights["logits"]
            # Initial weights are small and biases zero, which hides things: all are made larger and unlike.
            weights = {key: 3 * tensor + 0.3 * torch.randn_like(tensor) for key, tensor in weights.items()}
            save_file(weights, files[1])
            logits = ours(tokens, files[1])["logits"]

            def distance(wanted):
                return float((logits - wanted).norm() / wanted.norm())

            value = distance(reference(weights, tokens))
            good &= report(name, value, TOLERANCE, value <= TOLERANCE)
            for mistake, choice in mistakes[name]:
                value = distance(reference(weights, tokens, **choice))
                good &= report(f"mistake seen: {mistake}", value, MISTAKE_IS_SEEN, value > MISTAKE_IS_SEEN)
    print("all agree" if good else "NOT all agree")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
