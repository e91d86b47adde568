"""The acoustic network: (batch, frames, 64) normalised log-mel -> (batch, ceil(frames / 2), 122), the channels below.

Channels: log-probabilities with CTC's blank, log-probabilities of the phone in this frame (0: silence), the quality of each phone, assuming
that it is spoken here (a logit, whose mean over the phone's frames gives the experts' 0-2 as 2 * sigmoid(mean + 2)), and the quality of the
sentence (logits for accuracy, fluency and prosody, whose mean over the utterance gives the experts' 0-10 as 10 * sigmoid).

Convolutions over time and frequency run at 20 ms, and most layers at 40 ms, where they cost half as much. The result is upsampled to 20 ms
and combined with the output of the first layers, so that short sounds keep their place. A sentence is at most about twenty seconds long, so
attention is affordable.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

CTC, FRAME, GOODNESS, SENTENCE = (slice(0, 40), slice(40, 80), slice(80, 119), slice(119, 122))
CHANNELS = 122
BANDS = 64

# `slow` lists the blocks at 40 ms: c a convolution, a attention with a feed-forward layer. Millions of parameters: see EXPERIMENTS.md.
PRESETS = {
    "small": dict(fast=160, fast_blocks=2, width=256, slow="cccccc", hidden=128, dropout=0.1),
    "medium": dict(fast=192, fast_blocks=2, width=320, slow="cccaccca", hidden=192, dropout=0.1),
    "large": dict(fast=224, fast_blocks=3, width=416, slow="ccaccaccacca", hidden=256, dropout=0.15),
}


def masked(x, mask):
    """Silences what follows the end of an utterance, so that the result for a sentence is the same alone and in a batch."""
    return x if mask is None else x * mask


class ConvolutionBlock(nn.Module):
    """Residual: grouped convolution over time, then across channels."""

    def __init__(self, channels, dilation, dropout, groups=4, width=5):
        super().__init__()
        self.norm = nn.BatchNorm1d(channels)
        self.time = nn.Conv1d(channels, channels, width, padding=dilation * (width // 2), dilation=dilation, groups=groups)
        self.across = nn.Conv1d(channels, channels, 1)
        self.dropout = dropout

    def forward(self, x, mask):
        h = masked(F.relu(self.norm(x)), mask)
        return x + F.dropout(self.across(F.relu(self.time(h))), self.dropout, self.training)


class AttentionBlock(nn.Module):
    """Residual: attention, then a feed-forward layer; preceding convolutions provide the position of a frame."""

    def __init__(self, channels, dropout, heads=4):
        super().__init__()
        self.heads, self.size = heads, channels // heads
        self.norm, self.norm_feed = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.qkv, self.out = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.feed = nn.Sequential(nn.Linear(channels, 2 * channels), nn.ReLU(), nn.Dropout(dropout), nn.Linear(2 * channels, channels))
        self.dropout = dropout

    def forward(self, x, mask):
        x = x.transpose(1, 2)
        q, k, v = (self.split(part) for part in self.qkv(self.norm(x)).chunk(3, -1))
        weights = q @ k.transpose(-1, -2) / math.sqrt(self.size)
        if mask is not None:
            weights = weights.masked_fill(mask[:, None] == 0, -1e4)
        h = (weights.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.dropout(self.out(h), self.dropout, self.training)
        x = x + F.dropout(self.feed(self.norm_feed(x)), self.dropout, self.training)
        return x.transpose(1, 2)

    def split(self, x):
        return x.reshape(x.shape[0], -1, self.heads, self.size).transpose(1, 2)


class Network(nn.Module):
    def __init__(self, fast, fast_blocks, width, slow, hidden, dropout):
        super().__init__()
        self.spectrum = nn.Conv2d(1, 16, 3, stride=2, padding=1)
        self.shapes = nn.Conv2d(16, 24, 3, stride=(1, 2), padding=1)
        self.enter = nn.Conv1d(24 * BANDS // 4, fast, 1)
        self.fast = nn.ModuleList([ConvolutionBlock(fast, dilation, dropout) for dilation in (1, 2, 3)[:fast_blocks]])
        self.down = nn.Conv1d(fast, width, 3, stride=2, padding=1)
        dilations = [1, 1, 2, 2, 4, 4, 2, 2, 1, 1, 1, 1]
        self.slow = nn.ModuleList(
            [
                AttentionBlock(width, dropout) if kind == "a" else ConvolutionBlock(width, dilation, dropout)
                for kind, dilation in zip(slow, dilations)
            ]
        )
        self.slow_norm = nn.BatchNorm1d(width)
        self.memory = nn.GRU(width, hidden, bidirectional=True, batch_first=True)
        self.up = nn.Linear(2 * hidden, 2 * fast)
        self.last = ConvolutionBlock(fast, 1, dropout)
        self.last_norm = nn.BatchNorm1d(fast)
        self.out = nn.Linear(fast, CHANNELS)
        self.dropout = dropout

    def forward(self, x, lengths=None):
        """`lengths` are in frames of 10 ms, for a batch of utterances of different lengths; without them, all frames count."""
        fast_mask = slow_mask = slow_lengths = None
        frames = (x.shape[1] + 1) // 2
        if lengths is not None:
            at = torch.arange(frames, device=x.device)
            fast_mask = (at < ((lengths + 1) // 2)[:, None])[:, None].to(x.dtype)
            slow_mask = fast_mask[..., ::2]
            slow_lengths = slow_mask.sum((1, 2)).long().cpu()
        h = masked(F.relu(self.spectrum(x[:, None])), None if fast_mask is None else fast_mask[..., None])
        h = F.relu(self.shapes(h))
        h = masked(self.enter(h.transpose(2, 3).flatten(1, 2)), fast_mask)
        for block in self.fast:
            h = masked(block(h, fast_mask), fast_mask)
        s = masked(self.down(F.relu(h)), slow_mask)
        for block in self.slow:
            s = masked(block(s, slow_mask), slow_mask)
        s = masked(F.relu(self.slow_norm(s)), slow_mask)
        s = self.remembered(s.transpose(1, 2), slow_lengths)
        s = F.dropout(s, self.dropout, self.training)
        # Each frame of 40 ms becomes two of 20 ms; an odd one at the end is cut off.
        u = self.up(s).reshape(s.shape[0], -1, self.up.out_features // 2)[:, : h.shape[2]].transpose(1, 2)
        h = self.last(masked(h + u, fast_mask), fast_mask)
        out = self.out(F.dropout(F.relu(self.last_norm(h)).transpose(1, 2), self.dropout, self.training)).float()
        return torch.cat([F.log_softmax(out[..., CTC], -1), F.log_softmax(out[..., FRAME], -1), out[..., 80:]], -1)

    def remembered(self, s, lengths):
        """The backward pass begins at the end of the utterance, not of the batch."""
        if lengths is None:
            return self.memory(s)[0]
        with torch.autocast(s.device.type, enabled=False):
            packed = nn.utils.rnn.pack_padded_sequence(s.float(), lengths, batch_first=True, enforce_sorted=False)
            return nn.utils.rnn.pad_packed_sequence(self.memory(packed)[0], batch_first=True, total_length=s.shape[1])[0]


class PlainBlock(nn.Module):
    """Residual grouped dilated convolution."""

    def __init__(self, channels, dilation, dropout):
        super().__init__()
        self.n = nn.BatchNorm1d(channels)
        self.c = nn.Conv1d(channels, channels, 5, padding=2 * dilation, dilation=dilation, groups=4)
        self.p = nn.Conv1d(channels, channels, 1)
        self.d = dropout

    def forward(self, x, mask):
        h = masked(F.relu(self.n(x)), mask)
        return masked(x + F.dropout(self.p(F.relu(self.c(h))), self.d, self.training), mask)


class PlainNetwork(nn.Module):
    """The networks of decision 7, all at 20 ms; weights are named as in shipped/acoustic.py, so that training can continue from them.

    Their normalisation keeps the statistics that it was trained with: batches here are small, and padded.
    """

    def __init__(self, channels, dropout):
        super().__init__()
        self.i = nn.Conv1d(BANDS, channels, 5, stride=2, padding=2)
        self.b = nn.ModuleList([PlainBlock(channels, d, dropout) for d in (1, 1, 2, 2, 4, 4, 1, 1)])
        self.n = nn.BatchNorm1d(channels)
        self.g = nn.GRU(channels, 128, bidirectional=True, batch_first=True)
        self.o = nn.Linear(256, CHANNELS)

    def train(self, mode=True):
        super().train(mode)
        for module in self.modules():
            if isinstance(module, nn.BatchNorm1d):
                module.eval()
        return self

    def forward(self, x, lengths=None):
        mask = None
        if lengths is not None:
            lengths = (lengths + 1) // 2
            mask = (torch.arange((x.shape[1] + 1) // 2, device=x.device) < lengths[:, None])[:, None].to(x.dtype)
        h = masked(self.i(x.transpose(1, 2)), mask)
        for block in self.b:
            h = block(h, mask)
        h = F.relu(self.n(h)).transpose(1, 2)
        if lengths is None:
            h, _ = self.g(h)
        else:
            packed = nn.utils.rnn.pack_padded_sequence(h, lengths.cpu(), batch_first=True, enforce_sorted=False)
            h, _ = nn.utils.rnn.pad_packed_sequence(self.g(packed)[0], batch_first=True, total_length=h.shape[1])
        out = self.o(F.dropout(h, 0.2, self.training))
        return torch.cat([F.log_softmax(out[..., CTC], -1), F.log_softmax(out[..., FRAME], -1), out[..., 80:]], -1)


PLAIN = dict(kind="plain", channels=224, dropout=0.1)


def build(preset):
    settings = dict(PRESETS[preset] if isinstance(preset, str) else preset)
    return (PlainNetwork if settings.pop("kind", None) == "plain" else Network)(**settings)


def parameters_of(model):
    return sum(p.numel() for p in model.parameters()) / 1e6
