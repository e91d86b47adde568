"""Pretraining on all transcribed and synthetic speech: python3 pretrain.py SHARDS CHECKPOINT [options]; continues where it stopped.

The learners' corpus is only used for reports, so that each fold is adapted from a network that was trained on none of its speakers, unless
--learners-from adds the utterances of its training speakers in which the experts scored every phone well. With --alignments
(align_phones.py), the position of each phone is also learned; for synthetic speech it is known.
"""
import argparse
import json
import sys

import torch
import torch.nn.functional as F

from network import CTC, FRAME, PRESETS, parameters_of
from phone_errors import phone_error_rates
from training_data import IGNORED, SHARES, epoch_batches, frame_targets, inputs_of, load, padded_labels
from training_loop import UNFINISHED, Trainer, choose_device

CORPORA = ["commonvoice", "librispeech", "ljspeech", "kathleen", "voicebank", "speech-commands", "alphanumeric", "synthetic"]
FRAME_WEIGHT = 0.5


def hearing_losses(out, batch, lengths, speed, is_example=lambda item, index: True):
    """The losses for the sequence of phones and for the phone in each frame."""
    labels, label_lengths = padded_labels(batch, out.device)
    targets = frame_targets(batch, lengths, speed, out.shape[1], is_example).to(out.device)
    losses = {"ctc": F.ctc_loss(out[..., CTC].transpose(0, 1), labels, (lengths + 1) // 2, label_lengths, zero_infinity=True)}
    if (targets != IGNORED).any():
        losses["frame"] = FRAME_WEIGHT * F.nll_loss(out[..., FRAME].flatten(0, 1), targets.flatten(), ignore_index=IGNORED)
    return losses


def is_learned(item, args):
    if item.part != "train" or item.corpus != "learners":
        return item.part == "train"
    return args.learners_from is not None and min((s for s in item.scores if s is not None), default=0) >= args.learners_from


def options(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("shards")
    parser.add_argument("checkpoint")
    parser.add_argument("--alignments", help="JSON lines of align_phones.py")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after this many minutes; the same command continues")
    parser.add_argument("--timed", action="store_true", help="let the rate fall over --minutes, whatever the epochs, and then finish the run")
    parser.add_argument("--save-every", type=float, default=5, help="minutes")
    parser.add_argument("--report-every", type=float, default=15, help="minutes")
    parser.add_argument("--report-most", type=int, default=60, help="held-out utterances per corpus in reports")
    parser.add_argument("--batch-seconds", type=float, default=None, help="default: 80 on a CPU, 600 on a GPU")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--small", help="also write the averaged weights here, in half precision")
    return parser


def set_up(args):
    """The device, and the most frames of a batch."""
    torch.set_num_threads(args.threads)
    device = choose_device()
    return device, int(100 * (args.batch_seconds or (600 if device.type == "cuda" else 80)))


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("--preset", choices=PRESETS, default="medium")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--start", help="a checkpoint with whose averaged weights a new run begins")
    parser.add_argument("--worst-fit", type=float, default=-1e9, help="leave out recordings with a worse fit to their text (align_phones.py)")
    parser.add_argument("--learners-from", type=float, default=None, help="0-2: the lowest score that each phone must have")
    parser.add_argument("--shares", default="", help="the share of each corpus in an epoch: librispeech-mini=0.5,synthetic=1")
    args = parser.parse_args()
    device, most_frames = set_up(args)
    items, mel = load(args.shards, CORPORA + ["learners"], args.alignments, device)
    learned = [i for i in items if is_learned(i, args) and (i.fit is None or i.fit >= args.worst_fit)]
    shares = {**SHARES, **{name: float(share) for name, share in (pair.split("=") for pair in args.shares.split(",") if pair)}}
    held_out = [item for item in items if item.part == "heldout"]
    start = torch.load(args.start, map_location="cpu") if args.start else {"network": PRESETS[args.preset], "average": None}
    trainer = Trainer(start["network"], args.checkpoint, args.epochs, args.rate, start["average"], timed=args.timed)
    hours = sum(item.frames for item in learned) / 360_000
    print(f"{parameters_of(trainer.model):.2f} M parameters, {len(learned)} utterances, {hours:.2f} h, {device}", flush=True)

    def losses_of(model, batch):
        x, lengths, speed = inputs_of(batch, mel, training=True)
        return hearing_losses(model(x, lengths), batch, lengths, speed)

    def report(model):
        if args.small:
            trainer.save_small(args.small)
        rates = phone_error_rates(model, held_out, mel, args.report_most)
        return {"per": {name: round(rate, 4) for name, rate in rates.items()}}

    finished = trainer.run(
        lambda epoch: epoch_batches(learned, most_frames, epoch, shares), losses_of, report, args.minutes, args.save_every, args.report_every
    )
    if finished and not args.timed:
        rates = phone_error_rates(trainer.average, held_out, mel)
        print(json.dumps({"finished": True, "per": {name: round(rate, 4) for name, rate in rates.items()}}))
    sys.exit(0 if finished else UNFINISHED)
