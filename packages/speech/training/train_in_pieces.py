"""Trains the acoustic network from its shards, in pieces: run python3 train_in_pieces.py SHARDS WORK --minutes N repeatedly.

Each call continues where the last one stopped, and prints its step; WORK contains checkpoints, alignments and the output of each step
(*.log). Exit status 3 means that there is more to do. `--results FOLDER` receives the averaged weights in half precision. The defaults are
for a large GPU; a CPU with two cores takes a night with `--scale 0.15`.
"""
import argparse
import os
import subprocess
import sys
import time

from training_loop import UNFINISHED, choose_device

FOLDS = 5
LEAST_MINUTES = 0.3
here = os.path.dirname(os.path.abspath(__file__))


def steps_of(args):
    """(name, program, arguments) in order. Every step writes WORK/name.pt, except that an alignment writes WORK/name.jsonl."""
    work = lambda name: os.path.join(args.work, name)
    epochs = lambda count: ["--epochs", str(max(2, round(count * args.scale)))]
    aligned = ["--alignments", work("alignments.jsonl")]
    yield "hear", "pretrain.py", [args.shards, work("hear.pt"), "--preset", args.preset, *epochs(60)]
    yield "alignments", "align_phones.py", [args.shards, work("hear.pt"), work("alignments.jsonl"), str(args.threads)]
    again = ["--start", work("hear.pt"), "--rate", "1.5e-3", "--worst-fit", "-2.5"]
    yield "pretrained", "pretrain.py", [args.shards, work("pretrained.pt"), *again, *aligned, *epochs(60)]
    for fold in range(FOLDS):
        yield f"fold{fold}", "adapt.py", [args.shards, work("pretrained.pt"), work(f"fold{fold}.pt"), *aligned, "--fold", str(fold), *epochs(24)]
    yield "shipped", "average_networks.py", [work("shipped.pt"), *(work(f"fold{fold}.pt") for fold in range(FOLDS))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards")
    parser.add_argument("work")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--preset", default="medium")
    parser.add_argument("--scale", type=float, default=1.0, help="scales all numbers of epochs")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--report-every", type=float, default=None, help="minutes; default: 2 on a GPU, 20 on a CPU")
    parser.add_argument("--results", help="a folder for weights in half precision")
    args = parser.parse_args()
    started = time.monotonic()
    os.makedirs(args.work, exist_ok=True)
    every = args.report_every or (2 if choose_device().type == "cuda" else 20)
    for name, program, arguments in steps_of(args):
        done = os.path.join(args.work, f"{name}.done")
        if os.path.exists(done):
            continue
        left = args.minutes - (time.monotonic() - started) / 60
        if left < LEAST_MINUTES:
            sys.exit(UNFINISHED)
        command = [sys.executable, "-u", os.path.join(here, program), *arguments]
        if program in ("pretrain.py", "adapt.py"):
            command += ["--minutes", f"{left:.2f}", "--threads", str(args.threads), "--report-every", str(every)]
            if args.results:
                os.makedirs(args.results, exist_ok=True)
                command += ["--small", os.path.join(args.results, f"{name}.pt")]
        print(f"{name}: {program}, {left:.1f} minutes left", flush=True)
        with open(os.path.join(args.work, f"{name}.log"), "a") as log:
            status = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode
        with open(os.path.join(args.work, f"{name}.log")) as log:
            print("".join(log.readlines()[-2:]), flush=True)
        if status != 0:
            sys.exit(status)
        open(done, "w").close()
    print("all steps are done")


if __name__ == "__main__":
    main()
