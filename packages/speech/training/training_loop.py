"""Trains in pieces: a run stops when its minutes are over and continues exactly where it was, on any device.

The result is the moving average of the weights. A checkpoint is written beside the old one and then renamed, so that a run that is killed
loses at most the minutes since the last checkpoint.
"""
import math
import os
import random
import time

import torch
import torch.nn as nn

from network import build

AVERAGE_DECAY = 0.999
WARM_UP_SHARE, LAST_RATE = 0.06, 0.02
CLIP = 5.0
# The exit status of a run whose minutes were over.
UNFINISHED = 3


def choose_device():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def load_weights(path, which="average"):
    """The network of a checkpoint, ready for use."""
    checkpoint = torch.load(path, map_location="cpu")
    model = build(checkpoint["network"])
    model.load_state_dict(checkpoint[which])
    return model.eval()


class Trainer:
    """`epochs` sets the schedule of the rate, and must not change during a run; a `timed` run ends after its minutes instead."""

    def __init__(self, settings, path, epochs, rate, weights=None, weight_decay=2e-2, seed=1, timed=False):
        self.device, self.timed = choose_device(), timed
        self.path, self.epochs, self.rate, self.settings = path, epochs, rate, settings
        torch.manual_seed(seed)
        self.model, self.average = build(settings).to(self.device), build(settings).to(self.device)
        if weights is not None:
            self.model.load_state_dict(weights)
        self.average.load_state_dict(self.model.state_dict())
        decayed = [p for p in self.model.parameters() if p.ndim > 1]
        others = [p for p in self.model.parameters() if p.ndim <= 1]
        self.optimiser = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": weight_decay}, {"params": others, "weight_decay": 0}], rate, betas=(0.9, 0.98)
        )
        self.epoch = self.done_in_epoch = self.step = 0
        self.heard_s, self.worked_s, self.history = 0.0, 0.0, []
        # If this is set from outside, the run stops after the current batch, as it does when its minutes are over.
        self.stop_after_this = False
        if os.path.exists(path):
            self.resume()

    def resume(self):
        state = torch.load(self.path, map_location="cpu")
        self.model.load_state_dict(state["model"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        for name in ("epoch", "done_in_epoch", "step", "heard_s", "worked_s", "history"):
            setattr(self, name, state[name])
        torch.set_rng_state(state["rng"])
        if self.device.type == "cuda" and state["cuda_rng"] is not None:
            torch.cuda.set_rng_state(state["cuda_rng"])
        random.setstate(state["random"])
        print(f"goes on in epoch {self.epoch}, batch {self.done_in_epoch}", flush=True)

    def save(self):
        state = {
            "network": self.settings,
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "rng": torch.get_rng_state(),
            "cuda_rng": torch.cuda.get_rng_state() if self.device.type == "cuda" else None,
            "random": random.getstate(),
        }
        for name in ("epoch", "done_in_epoch", "step", "heard_s", "worked_s", "history"):
            state[name] = getattr(self, name)
        torch.save(state, f"{self.path}.new")
        os.replace(f"{self.path}.new", self.path)

    def save_small(self, path):
        """The averaged weights alone, in half precision, for another machine."""
        half = {name: value.half().cpu() if value.dtype == torch.float32 else value.cpu() for name, value in self.average.state_dict().items()}
        torch.save({"network": self.settings, "average": half, "history": self.history}, f"{path}.new")
        os.replace(f"{path}.new", path)

    def rate_at(self, progress):
        if progress < WARM_UP_SHARE:
            return self.rate * (0.01 + progress / WARM_UP_SHARE)
        return self.rate * (LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * min(1.0, progress))))

    def update_average(self):
        decay = min(AVERAGE_DECAY, (1 + self.step) / (20 + self.step))
        # All weights are updated at once: a network has hundreds, and a GPU takes longer to start an operation than to perform it.
        with torch.no_grad():
            pairs = list(zip(self.average.state_dict().values(), self.model.state_dict().values()))
            ours, theirs = zip(*(pair for pair in pairs if pair[0].dtype.is_floating_point))
            torch._foreach_mul_(list(ours), decay)
            torch._foreach_add_(list(ours), list(theirs), alpha=1 - decay)
            for counter, other in pairs:
                if not counter.dtype.is_floating_point:
                    counter.copy_(other)

    def run(self, batches_of, losses_of, report, minutes, save_every, report_every):
        """`batches_of(epoch)` lists an epoch's batches; `losses_of(model, batch)` returns named losses, which are added up;
        `report(average)` returns what is measured from time to time. Returns True when all epochs are done."""
        started = saved = reported = time.monotonic()
        worked_before = self.worked_s
        sums, count = {}, 0
        while self.epoch < self.epochs:
            batches = batches_of(self.epoch)
            while self.done_in_epoch < len(batches):
                batch = batches[self.done_in_epoch]
                by_epochs = (self.epoch + self.done_in_epoch / len(batches)) / self.epochs
                rate = self.rate_at((time.monotonic() - started) / (minutes * 60) if self.timed else by_epochs)
                for group in self.optimiser.param_groups:
                    group["lr"] = rate
                self.model.train()
                with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
                    losses = losses_of(self.model, batch)
                loss = sum(losses.values())
                self.optimiser.zero_grad(set_to_none=True)
                loss.backward()
                norm = nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
                # A single recording that does not fit its text must not end the run.
                if torch.isfinite(norm):
                    self.optimiser.step()
                    self.update_average()
                    for name, value in losses.items():
                        sums[name] = sums.get(name, 0) + value.detach()
                    count += 1
                self.step += 1
                self.done_in_epoch += 1
                self.heard_s += sum(item.frames for item in batch) / 100
                now = time.monotonic()
                self.worked_s = worked_before + now - started
                over = self.stop_after_this or now - started > minutes * 60
                at_end = self.done_in_epoch == len(batches) and self.epoch + 1 == self.epochs
                if over or at_end or now - reported > report_every * 60:
                    self.report(report, {name: float(value) / max(1, count) for name, value in sums.items()}, len(batches))
                    sums, count, reported = {}, 0, time.monotonic()
                if over or now - saved > save_every * 60:
                    self.save()
                    saved = time.monotonic()
                if over:
                    return self.timed
            self.epoch, self.done_in_epoch = self.epoch + 1, 0
        self.save()
        return True

    def report(self, report, losses, batches):
        line = {"epoch": round(self.epoch + self.done_in_epoch / batches, 3), "step": self.step, "heardHours": round(self.heard_s / 3600, 2)}
        line.update(workedMinutes=round(self.worked_s / 60, 1), losses={name: round(value, 3) for name, value in losses.items()})
        line.update(report(self.average))
        self.history.append(line)
        print(line, flush=True)
