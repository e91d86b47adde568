"""Exports networks as one: python3 export_acoustic.py acoustic.onnx CHECKPOINT.pt ...

Input: `features`, (1, frames, 64). Output: `heard`, (networks, ceil(frames / 2), 122), channels as in network.py, and `embedding`, (networks,
ceil(frames / 2), 192), the last layer, which the sequence model reads. pack-model.ts writes the file that is shipped.
"""
import sys

import numpy as np
import onnx
import torch
import torch.nn as nn
from onnx import numpy_helper

from training_loop import load_weights

# Smaller weights are kept as they are, because they take little space.
SMALL = 2048
LEVELS = 127


class Ensemble(nn.Module):
    def __init__(self, models):
        super().__init__()
        self.models = nn.ModuleList(models)

    def forward(self, features):
        heard, embeddings = [], []
        for model in self.models:
            hook = model.out.register_forward_pre_hook(lambda _, inputs: embeddings.append(inputs[0]))
            heard.append(model(features))
            hook.remove()
        return torch.cat(heard), torch.cat(embeddings)


def rounded(values, name):
    """A power-of-two scale for each output: convolutions are (out, in, width), GRUs (direction, out, in), products (in, out)."""
    axes = (0,) if "MatMul" in name else (2,) if values.shape[0] == 2 else tuple(range(1, values.ndim))
    largest = np.maximum(np.abs(values).max(axis=axes, keepdims=True), 1e-8)
    step = 2.0 ** np.ceil(np.log2(largest / LEVELS))
    return (np.round(values / step) * step).astype(np.float32)


def round_weights(path):
    """Quantises large weights to 8 bits with a power-of-two scale per row, which changes results little and compresses well."""
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        is_bias = values.ndim < 2 or (values.ndim == 2 and values.shape[0] == 2)
        if values.dtype == np.float32 and values.size >= SMALL and not is_bias:
            tensor.CopyFrom(numpy_helper.from_array(rounded(values, tensor.name), tensor.name))
    onnx.save(model, path)


if __name__ == "__main__":
    out, *weights = sys.argv[1:]
    torch.onnx.export(
        Ensemble([load_weights(path) for path in weights]),
        torch.randn(1, 321, 64),
        out,
        input_names=["features"],
        output_names=["heard", "embedding"],
        dynamic_axes={"features": {1: "frames"}, "heard": {1: "half_frames"}, "embedding": {1: "half_frames"}},
        opset_version=14,
    )
    round_weights(out)
