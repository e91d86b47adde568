"""Exports the acoustic network: python3 export_acoustic.py WEIGHTS.pt ../models/acoustic.onnx"""
import sys

import torch

from acoustic import AcousticModel

weights, out = sys.argv[1:3]
model = AcousticModel()
model.load_state_dict(torch.load(weights))
model.eval()
torch.onnx.export(
    model,
    torch.randn(1, 321, 64),
    out,
    input_names=["features"],
    output_names=["logProbs"],
    dynamic_axes={"features": {1: "frames"}, "logProbs": {1: "half_frames"}},
    opset_version=14,
)
