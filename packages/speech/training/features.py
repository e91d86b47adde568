"""Computes log-mel features from samples, as the product does (src/signal)."""
import subprocess

import numpy as np

RATE, WINDOW, HOP, FFT, BANDS = 16000, 400, 160, 512, 64
FRAME, MARGIN, MAX_MARGIN_SHARE = 320, 3200, 0.2


def mel_filters():
    to_mel = lambda hz: 2595 * np.log10(1 + hz / 700)
    to_hz = lambda mel: 700 * (10 ** (mel / 2595) - 1)
    edges = to_hz(np.linspace(to_mel(60), to_mel(7600), BANDS + 2)) / RATE * FFT
    k = np.arange(FFT // 2 + 1)
    rise = (k - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    fall = (edges[2:, None] - k) / (edges[2:] - edges[1:-1])[:, None]
    return np.maximum(0, np.minimum(rise, fall)).astype(np.float32)


FILTERS, HANN = mel_filters(), np.hanning(WINDOW).astype(np.float32)


def prepare(pcm):
    """Matches signal/prepare-speech.ts: the speech with a margin of 200 ms, or a fifth of its length if that is less, at a root mean square of 0.05, and the sample at which it begins."""
    count = max(1, len(pcm) // FRAME)
    frames = np.resize(pcm[: count * FRAME], (count, FRAME)).astype(np.float64)
    power = np.sqrt(((frames - frames.mean(1, keepdims=True)) ** 2).mean(1))
    levels = np.where(power <= 1e-5, -100, 20 * np.log10(np.maximum(power, 1e-9)))
    heard = np.sort(levels[levels > -90])
    quantile = lambda share: heard[min(len(heard) - 1, int(len(heard) * share))] if len(heard) else -100
    noise, loud = quantile(0.1), quantile(0.95)
    if len(heard) <= 0.9 * count and loud - noise < 3:
        noise = -90
    floor = min(-60, loud - 30)
    speech = np.flatnonzero(levels > max(noise + min(9, (loud - noise) * 0.4), floor))
    start = 0
    if loud - noise >= 3 and len(speech):
        margin = min(MARGIN, round(MAX_MARGIN_SHARE * (speech[-1] + 1 - speech[0]) * FRAME))
        start = max(0, speech[0] * FRAME - margin)
        pcm = pcm[start : (speech[-1] + 1) * FRAME + margin]
    return (pcm * (0.05 / max(np.sqrt((pcm.astype(np.float64) ** 2).mean()), 1e-5))).astype(np.float32), start


def log_mel(pcm):
    """Matches signal/log-mel.ts, for prepared speech: pre-emphasis 0.97, 25 ms Hann windows every 10 ms, 64 bands, natural logarithm."""
    pcm = np.append(pcm[0], pcm[1:] - 0.97 * pcm[:-1])
    frames = 1 + max(0, (len(pcm) - WINDOW) // HOP)
    index = np.arange(WINDOW)[None] + HOP * np.arange(frames)[:, None]
    power = np.abs(np.fft.rfft(pcm[index] * HANN, FFT)) ** 2
    return np.log(power @ FILTERS.T + 1e-6).astype(np.float32)


def decode(path):
    """Decodes an Opus file to 16 kHz mono samples with opusdec (Debian: opus-tools)."""
    raw = subprocess.run(["opusdec", "--quiet", "--rate", str(RATE), path, "-"], capture_output=True, check=True).stdout
    return np.frombuffer(raw, np.int16).astype(np.float32) / 32768
