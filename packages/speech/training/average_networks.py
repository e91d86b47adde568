"""Averages the weights of networks that were trained further from the same one: python3 average_networks.py OUT.pt CHECKPOINT.pt ...

After Wortsman et al. (2022, "Model soups"): networks that were adapted from the same weights lie close enough together that their mean is as
accurate as all of them together, at the cost of one.
"""
import sys

import torch

out, *paths = sys.argv[1:]
checkpoints = [torch.load(path, map_location="cpu") for path in paths]
first = checkpoints[0]["average"]
mean = {
    name: sum(checkpoint["average"][name].float() for checkpoint in checkpoints) / len(checkpoints) if value.dtype.is_floating_point else value
    for name, value in first.items()
}
torch.save({"network": checkpoints[0]["network"], "average": mean}, out)
