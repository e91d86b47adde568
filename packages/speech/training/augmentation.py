"""Augments batches of stored features, so that the network does not depend on the speaker, the room or the speed.

All of it is done on features, on the device that trains, so that no two epochs see the same input: speed, vocal-tract length (towards
children, of whom there are few recordings), rooms, steady noise, other voices, the band of a telephone, and masks (SpecAugment, Park et
al. 2019).
"""
import math

import torch

from shards import BANDS, LOWEST, STEP

LOWEST_HZ, HIGHEST_HZ = 60, 7600
TELEPHONE_HZ = (300, 3400)
# Speech with a root mean square of 0.05 has log energies around 0; anything 50 dB below is inaudible.
FLOOR = 1e-6


def mel_of(hz):
    return 2595 * math.log10(1 + hz / 700)


def band_centres_hz():
    low, high = mel_of(LOWEST_HZ), mel_of(HIGHEST_HZ)
    mel = low + (high - low) * torch.arange(1, BANDS + 1) / (BANDS + 1)
    return 700 * (10 ** (mel / 2595) - 1)


CENTRES_HZ = band_centres_hz()


def gathered(mel, at, frames, speed):
    """(utterances, longest, 64) log energies at `speed`, padded with the lowest energy, and the number of frames of each."""
    lengths = (frames / speed).floor().long().clamp(min=2)
    steps = torch.arange(int(lengths.max()), device=mel.device)
    places = torch.minimum(steps[None] * speed[:, None], (frames - 1)[:, None].to(speed.dtype))
    before = places.floor().long()
    share = (places - before)[..., None]
    after = torch.minimum(before + 1, (frames - 1)[:, None])
    x = torch.lerp(mel[at[:, None] + before].float(), mel[at[:, None] + after].float(), share) * STEP + LOWEST
    mask = (steps[None] < lengths[:, None])[..., None]
    return torch.where(mask, x, torch.full_like(x, LOWEST)), lengths, mask


def normalised(x, mask):
    """Normalises each band to zero mean and unit deviation over each utterance, as in signal/log-mel.ts."""
    count = mask.sum(1, keepdim=True)
    mean = (x * mask).sum(1, keepdim=True) / count
    deviation = (((x - mean) ** 2 * mask).sum(1, keepdim=True) / count).sqrt()
    return (x - mean) / (deviation + 1e-3) * mask


def uniform(low, high, shape, device):
    return low + (high - low) * torch.rand(shape, device=device)


def with_tract(x, factor):
    """Raises the formants (and the harmonics of the voice) by `factor`."""
    mel = 2595 * torch.log10(1 + CENTRES_HZ.to(x.device)[None] / factor[:, None] / 700)
    low, high = mel_of(LOWEST_HZ), mel_of(HIGHEST_HZ)
    place = ((mel - low) / (high - low) * (BANDS + 1) - 1).clamp(0, BANDS - 1)
    before = place.floor().long()
    after = (before + 1).clamp(max=BANDS - 1)
    share = (place - before)[:, None]
    pick = lambda index: x.gather(2, index[:, None].expand(-1, x.shape[1], -1))
    return torch.lerp(pick(before), pick(after), share)


def delayed(power, frames):
    return torch.nn.functional.pad(power, (0, 0, frames, 0))[:, : power.shape[1]]


def in_a_room(power, chosen):
    """Lets the energy of each frame decay over the following ones, with a reverberation time of 0.1 to 0.7 s (60 dB)."""
    size = (len(power), 1, 1)
    decay = torch.exp(-13.8 / uniform(10, 70, size, power.device))
    wet = 10 ** (-uniform(3, 18, size, power.device) / 10) * chosen
    tail = power
    for frames in (1, 2, 4, 8, 16):
        tail = tail + decay**frames * delayed(tail, frames)
    return power + wet * (1 - decay) * delayed(tail, 2) * 4


def in_noise(power, speech_level, chosen):
    """Adds steady noise of any colour, 5 to 40 dB below the speech, with the fluctuation of real noise."""
    size, device = (len(power), 1, 1), power.device
    across = torch.linspace(-1, 1, BANDS, device=device)
    shape = (across * uniform(-2.5, 3, size, device) + across**2 * uniform(-1.5, 1.5, size, device)).exp()
    shape = shape / shape.mean(-1, keepdim=True)
    level = speech_level * 10 ** (-uniform(5, 40, size, device) / 10) * chosen
    return power + level * shape * (0.6 * torch.randn(power.shape, device=device) - 0.18).exp()


def beside_voices(power, speech_level, chosen):
    """Adds another utterance of the batch, 6 to 25 dB below the speech."""
    other = power.roll(1, 0)
    level = other.mean((1, 2), keepdim=True).clamp(min=FLOOR)
    return power + chosen * speech_level * 10 ** (-uniform(6, 25, (len(power), 1, 1), power.device) / 10) * other / level


def on_the_telephone(power, chosen):
    centres = CENTRES_HZ.to(power.device)
    low, high = TELEPHONE_HZ
    outside = torch.maximum((low - centres) / 60, (centres - high) / 250).clamp(0, 1)
    return power * torch.exp(-chosen * outside * 9)


def masked(x, lengths):
    size, device = (len(x), 1), x.device
    bands, frames = torch.arange(BANDS, device=device)[None], torch.arange(x.shape[1], device=device)[None]
    hidden = torch.zeros(x.shape, dtype=torch.bool, device=device)
    for _ in range(2):
        width = torch.rand(size, device=device) * 11
        start = torch.rand(size, device=device) * (BANDS - width)
        hidden |= ((bands >= start) & (bands < start + width - 0.5))[:, None]
        width = torch.rand(size, device=device) * (lengths[:, None] / 8).clamp(max=24)
        start = torch.rand(size, device=device) * (lengths[:, None] - width)
        hidden |= ((frames >= start) & (frames < start + width - 0.5))[..., None]
    return x.masked_fill(hidden, 0)


def plain_batch(mel, at, frames):
    """A batch without augmentation, with the features that the product computes."""
    x, lengths, mask = gathered(mel, at, frames, torch.ones(len(at), device=mel.device))
    return normalised(x, mask), lengths


def augmented_batch(mel, at, frames, strength=1.0):
    """Normalised features, their lengths and the speeds; `strength` scales how often an augmentation is chosen."""
    device, count = mel.device, len(at)
    speed = uniform(0.85, 1.18, (count,), device)
    x, lengths, mask = gathered(mel, at, frames, speed)
    size = (count, 1, 1)
    chosen = lambda share: (torch.rand(size, device=device) < share * strength).float()
    factor = uniform(-0.13, 0.26, (count,), device) * chosen(0.75)[:, 0, 0]
    x = with_tract(x, factor.exp())
    power = x.exp()
    level = (power * mask).sum((1, 2), keepdim=True) / (mask.sum(1, keepdim=True) * BANDS)
    power = in_a_room(power, chosen(0.3))
    power = beside_voices(power, level, chosen(0.12))
    power = in_noise(power, level, chosen(0.5))
    power = on_the_telephone(power, chosen(0.15))
    x = normalised((power + FLOOR).log(), mask)
    return masked(x, lengths), lengths, speed
