"""Trains the acoustic network with CTC: python3 train_acoustic.py CORPUS FEATURES.npz OUT.pt [EPOCHS=22]

About a minute an epoch on two cores. Only the speakers of the split `train` are learned from. What is kept is the moving average
of the weights.
"""
import random
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

from acoustic import AcousticModel, batches, collate, load_features, outputs_of, phone_error_rate, read_corpus

BATCH, PEAK_RATE = 16, 2e-3
AVERAGED_OVER_STEPS = 200


def update_average(average, model):
    with torch.no_grad():
        for ours, theirs in zip(average.state_dict().values(), model.state_dict().values()):
            if ours.dtype.is_floating_point:
                ours.lerp_(theirs, 1 / AVERAGED_OVER_STEPS)
            else:
                ours.copy_(theirs)


if __name__ == "__main__":
    corpus, archive, out = sys.argv[1:4]
    epochs = int(sys.argv[4]) if len(sys.argv) > 4 else 22
    torch.set_num_threads(2)
    torch.manual_seed(0)
    random.seed(0)
    features = load_features(archive)
    utterances = read_corpus(corpus)
    items = {s: [(u["id"], outputs_of(u)) for u in utterances if u["split"] == s] for s in ("train", "validation")}
    model, average = AcousticModel(), AcousticModel()
    average.load_state_dict(model.state_dict())
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.2f} M parameters")
    steps = len(batches(items["train"], features, BATCH, True))
    optimiser = torch.optim.AdamW(model.parameters(), PEAK_RATE, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, PEAK_RATE, total_steps=epochs * steps, pct_start=0.15)
    started = time.time()
    for epoch in range(epochs):
        model.train()
        loss_sum = 0.0
        for batch in batches(items["train"], features, BATCH, True):
            inputs, lengths, labels = collate(batch, features, True)
            log_probs = model(inputs).transpose(0, 1)
            targets = torch.tensor(sum(labels, []))
            loss = F.ctc_loss(log_probs, targets, lengths, torch.tensor([len(y) for y in labels]), zero_infinity=True)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            update_average(average, model)
            loss_sum += loss.item()
        rate = f" PER {phone_error_rate(average, items['validation'], features):.4f}" if epoch % 3 == 2 or epoch == epochs - 1 else ""
        print(f"epoch {epoch} loss {loss_sum / steps:.3f}{rate} {int(time.time() - started)} s", flush=True)
        torch.save(average.state_dict(), out)
