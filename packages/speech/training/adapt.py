"""Adapts a pretrained network to learners: python3 adapt.py SHARDS PRETRAINED CHECKPOINT --alignments FILE --fold N [options]

Learners' recordings teach four things at once: the sequence of phones, the phone in each frame, the experts' score of each phone, and their
three scores of the sentence. Other English is mixed in, so that it is not forgotten. All learners' speakers are divided into `--folds`
folds, with as many children in each; the network of fold N is not trained on its own fold, and that of fold -1 is trained on all.
`--validation-out` also leaves out the corpus' 25 validation speakers. With `--teachers`, one checkpoint per fold, the network also learns
the output of its teachers: for a learner, that of the teacher which was not trained on the speaker.
`python3 adapt.py SHARDS --print-folds 5` prints the folds as JSON.
"""
import argparse
import json
import random
import sys

import numpy as np
import torch
import torch.nn.functional as F

from network import CTC, FRAME, GOODNESS, SENTENCE
from phone_errors import phone_error_rates
from pretrain import CORPORA, hearing_losses, options, set_up
from shards import read_all_labels
from training_data import epoch_batches, inputs_of, load
from training_loop import UNFINISHED, Trainer, load_weights

GOODNESS_WEIGHT, SENTENCE_WEIGHT, TEACHER_WEIGHT = 4.0, 4.0, 1.0
# A phone with a lower score (of 2) is not a good example of itself.
EXAMPLE_FROM = 1.3
# The share of the other recordings that is mixed into each epoch of learners.
REPLAY_SHARE = 0.12


def folds_of(items, folds):
    """The fold of each learner, with as many children in each fold."""
    ages = {item.speaker: item.age for item in items if item.corpus == "learners"}
    speakers = sorted(ages)
    random.Random(0).shuffle(speakers)
    speakers.sort(key=lambda speaker: ages[speaker] < 16)
    return {speaker: index % folds for index, speaker in enumerate(speakers)}


def is_example(item, index):
    return item.scores is None or item.scores[index] is None or item.scores[index] >= EXAMPLE_FROM


def goodness_of(out, batch, lengths, speed):
    """The mean logit of each judged phone over its frames, and the experts' score of it."""
    sums = F.pad(out[..., GOODNESS].cumsum(1), (0, 0, 1, 0))
    rows, starts, ends, channels, scores = [], [], [], [], []
    for row, (item, frames, rate) in enumerate(zip(batch, ((lengths + 1) // 2).tolist(), speed.tolist())):
        for index, score in enumerate(item.scores or []):
            if score is not None and item.spans is not None:
                start = min(frames - 1, int(item.spans[index][0] / rate / 2 + 0.5))
                rows.append(row)
                starts.append(start)
                ends.append(min(frames, max(start + 1, int(item.spans[index][1] / rate / 2 + 0.5))))
                channels.append(item.outputs[index] - 1)
                scores.append(score)
    rows, starts, ends, channels = (torch.tensor(x, dtype=torch.long, device=out.device) for x in (rows, starts, ends, channels))
    means = (sums[rows, ends, channels] - sums[rows, starts, channels]) / (ends - starts)
    return means, torch.tensor(scores, device=out.device)


def sentences_of(out, batch, lengths):
    """The mean logits over each judged utterance, and the experts' scores of it (0-1)."""
    judged = [row for row, item in enumerate(batch) if item.sentence is not None]
    counts = ((lengths + 1) // 2)[judged]
    mask = (torch.arange(out.shape[1], device=out.device)[None] < counts[:, None])[..., None]
    means = (out[judged][..., SENTENCE] * mask).sum(1) / counts[:, None]
    return means, torch.tensor([batch[row].sentence for row in judged], device=out.device) / 10


def learner_losses(out, batch, lengths, speed):
    losses = hearing_losses(out, batch, lengths, speed, is_example)
    means, scores = goodness_of(out, batch, lengths, speed)
    if len(scores):
        losses["goodness"] = GOODNESS_WEIGHT * F.mse_loss(2 * torch.sigmoid(means + 2), scores)
    means, scores = sentences_of(out, batch, lengths)
    if len(scores):
        losses["sentence"] = SENTENCE_WEIGHT * F.mse_loss(torch.sigmoid(means), scores)
    return losses


def teacher_loss(out, x, lengths, batch, teachers, folds):
    """How far the output of the network is from that of its teachers for the same augmented recordings."""
    with torch.no_grad():
        heard = torch.stack([teacher(x, lengths) for teacher in teachers])
    which = [folds.get(item.speaker, row % len(teachers)) for row, item in enumerate(batch)]
    taught = heard[which, list(range(len(batch)))]
    mask = torch.arange(out.shape[1], device=out.device)[None] < ((lengths + 1) // 2)[:, None]
    far = sum(F.kl_div(out[..., part], taught[..., part], log_target=True, reduction="none").sum(-1) for part in (CTC, FRAME))
    far = far + 0.05 * ((out[..., GOODNESS] - taught[..., GOODNESS]) ** 2).mean(-1)
    return TEACHER_WEIGHT * far[mask].mean()


def correlations(model, items, mel):
    """Pearson's correlations of the network's own scores with the experts'."""
    model.eval()
    phones, sentences = [], []
    with torch.no_grad():
        for start in range(0, len(items), 24):
            batch = items[start : start + 24]
            x, lengths, speed = inputs_of(batch, mel, training=False)
            out = model(x, lengths)
            means, scores = goodness_of(out, batch, lengths, speed)
            phones += zip(torch.sigmoid(means + 2).tolist(), scores.tolist())
            sentences += zip(*(part.tolist() for part in sentences_of(out, batch, lengths)))
    figures = {"phone": np.corrcoef(*zip(*phones))[0, 1]}
    ours, experts = (1 / (1 + np.exp(-np.array(side))) if at == 0 else np.array(side) for at, side in enumerate(zip(*sentences)))
    for at, name in enumerate(("accuracy", "fluency", "prosody")):
        figures[name] = np.corrcoef(ours[:, at], experts[:, at])[0, 1]
    return {name: round(float(value), 4) for name, value in figures.items()}


def by_age(items):
    return {"all": items, "children": [i for i in items if i.age < 16], "adults": [i for i in items if i.age >= 16]}


def print_folds(shards, folds):
    class Speaker:
        def __init__(self, line):
            self.corpus, self.speaker, self.age = line["corpus"], line["speaker"], line["age"]

    print(json.dumps(folds_of([Speaker(line) for line in read_all_labels(shards, "learners")], folds)))


def main():
    parser = options(__doc__)
    parser.add_argument("target", help="the checkpoint of this run")
    parser.add_argument("--fold", type=int, required=True)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--validation-out", action="store_true")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--teachers", nargs="*", default=[])
    parser.set_defaults(rate=8e-4)
    args = parser.parse_args()
    device, most_frames = set_up(args)
    items, mel = load(args.shards, CORPORA + ["learners"], args.alignments, device)
    learners = [item for item in items if item.corpus == "learners" and item.spans is not None]
    others = [item for item in items if item.corpus != "learners"]
    folds = folds_of(learners, args.folds)
    is_out = lambda item: folds[item.speaker] == args.fold or (args.validation_out and item.part == "heldout")
    learned, left_out = [i for i in learners if not is_out(i)], [i for i in learners if is_out(i)]
    replayed = [item for item in others if item.part == "train"]
    pretrained = torch.load(args.checkpoint, map_location="cpu")
    trainer = Trainer(pretrained["network"], args.target, args.epochs, args.rate, pretrained["average"], seed=args.fold + 2, timed=args.timed)
    teachers = [load_weights(path).to(device) for path in args.teachers]
    print(f"{len(learned)} utterances of learners, {len(left_out)} left out, {device}", flush=True)
    shares = {corpus: REPLAY_SHARE for corpus in {item.corpus for item in replayed}}

    def losses_of(model, batch):
        x, lengths, speed = inputs_of(batch, mel, training=True, strength=0.9)
        out = model(x, lengths)
        losses = learner_losses(out, batch, lengths, speed)
        if teachers:
            losses["teachers"] = teacher_loss(out, x, lengths, batch, teachers, folds)
        return losses

    def report(model):
        if args.small:
            trainer.save_small(args.small)
        judged = left_out or learned[:200]
        rates = phone_error_rates(model, judged + [item for item in others if item.part == "heldout"], mel, args.report_most)
        scores = {name: correlations(model, some, mel) for name, some in by_age(judged).items() if some}
        return {"per": {name: round(rate, 4) for name, rate in rates.items()}, "pearson": scores}

    batches_of = lambda epoch: epoch_batches(learned + replayed, most_frames, epoch, shares)
    if not trainer.run(batches_of, losses_of, report, args.minutes, args.save_every, args.report_every):
        sys.exit(UNFINISHED)
    print(json.dumps({"finished": True}))


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[2] == "--print-folds":
        print_folds(sys.argv[1], int(sys.argv[3]))
    else:
        main()
