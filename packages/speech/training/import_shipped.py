"""Converts the shipped networks to checkpoints for further training: python3 import_shipped.py MODEL.onnx SHARDS OUT

MODEL.onnx is ../models/acoustic.onnx.br unpacked (`brotli -d`). Writes OUT/shipped0.pt and so on, and OUT/folds.json, which
says which network was not trained on which speaker. The 25 validation speakers, on whom none was trained, are distributed over the folds in
the same way.
"""
import json
import random
import sys

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from network import PLAIN, build
from shards import read_all_labels

FOLDS = 4


def gates_of(values):
    """ONNX orders the gates of a GRU as update, reset, new, and PyTorch as reset, update, new."""
    update, reset, new = np.split(values, 3)
    return torch.from_numpy(np.concatenate([reset, update, new]).copy())


def memory_of(weights, recurrent, biases):
    size = recurrent.shape[-1] * 3
    state = {}
    for direction, suffix in enumerate(("", "_reverse")):
        state[f"g.weight_ih_l0{suffix}"] = gates_of(weights[direction])
        state[f"g.weight_hh_l0{suffix}"] = gates_of(recurrent[direction])
        state[f"g.bias_ih_l0{suffix}"] = gates_of(biases[direction][:size])
        state[f"g.bias_hh_l0{suffix}"] = gates_of(biases[direction][size:])
    return state


def networks_of(path):
    graph = onnx.load(path).graph
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    memories = [node for node in graph.node if node.op_type == "GRU"]
    products = [node for node in graph.node if node.op_type == "MatMul"]
    for index, (memory, product) in enumerate(zip(memories, products)):
        prefix = f"models.{index}."
        state = {name[len(prefix) :]: torch.from_numpy(value.copy()) for name, value in values.items() if name.startswith(prefix)}
        state.update(memory_of(*(values[name] for name in memory.input[1:4])))
        state["o.weight"] = torch.from_numpy(values[product.input[1]].T.copy())
        yield state


def folds_of(shards):
    learners = {line["speaker"]: line for line in read_all_labels(shards, "learners")}
    known = sorted(speaker for speaker, line in learners.items() if line["part"] == "train")
    random.Random(0).shuffle(known)
    others = sorted((line["age"] >= 16, speaker) for speaker, line in learners.items() if line["part"] != "train")
    return {speaker: index % FOLDS for speakers in (known, [speaker for _, speaker in others]) for index, speaker in enumerate(speakers)}


if __name__ == "__main__":
    model, shards, out = sys.argv[1:]
    for index, state in enumerate(networks_of(model)):
        network = build(PLAIN)
        network.load_state_dict(state, strict=False)
        missing = set(network.state_dict()) - set(state)
        assert all(name.endswith("num_batches_tracked") for name in missing), missing
        torch.save({"network": PLAIN, "average": network.state_dict()}, f"{out}/shipped{index}.pt")
    with open(f"{out}/folds.json", "w") as file:
        json.dump(folds_of(shards), file)
