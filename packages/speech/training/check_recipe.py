"""Checks the assumptions of the recipe in seconds, without a corpus: python3 check_recipe.py"""
import tempfile

import numpy as np
import torch

from align_phones import aligned
from augmentation import plain_batch
from network import FRAME, PRESETS, build
from phone_errors import edits
from pretrain import hearing_losses
from shards import ShardWriter, dequantised, quantised
from training_data import epoch_batches, inputs_of, load
from training_loop import Trainer


def write_utterances(folder):
    random_ = np.random.RandomState(0)
    writer = ShardWriter(folder, "made")
    mels = [np.cumsum(random_.randn(random_.randint(40, 160), 64), 0).astype(np.float32) for _ in range(30)]
    for at, mel in enumerate(mels):
        outputs = random_.randint(1, 40, len(mel) // 16).tolist()
        spans = [[16 * k, 16 * k + 16] for k in range(len(outputs))]
        writer.add({"id": str(at), "corpus": "made", "speaker": "one", "part": "train", "outputs": outputs, "spans": spans}, mel)
    writer.flush()
    return mels


def shards_keep_features(folder, mels):
    items, mel = load(folder, ["made"])
    for item, original in zip(items, mels):
        assert (mel[item.at : item.at + item.frames].numpy() == quantised(original)).all()
    assert np.abs(dequantised(quantised(mels[0].clip(-13, 100))) - mels[0].clip(-13, 100)).max() <= 0.3001


def a_batch_changes_nothing(folder):
    items, mel = load(folder, ["made"])
    model = build("small").eval()
    with torch.no_grad():
        x, lengths, _ = inputs_of(items[:6], mel, training=False)
        together = model(x, lengths)
        for row, item in enumerate(items[:6]):
            alone = model(plain_batch(mel, torch.tensor([item.at]), torch.tensor([item.frames]))[0])[0]
            assert (together[row, : len(alone)] - alone).abs().max() < 1e-4


def a_run_goes_on_exactly(folder):
    items, mel = load(folder, ["made"])

    def trained(path, pieces):
        """`pieces` are the numbers of batches after which the run is stopped."""
        for piece in pieces:
            trainer = Trainer(PRESETS["small"], path, epochs=2, rate=1e-3)
            left = [piece]

            def losses_of(model, batch):
                x, lengths, speed = inputs_of(batch, mel, training=True)
                left[0] -= 1
                trainer.stop_after_this = left[0] == 0
                return hearing_losses(model(x, lengths), batch, lengths, speed)

            trainer.run(lambda epoch: epoch_batches(items, 800, epoch), losses_of, lambda model: {}, 1e9, 1e9, 1e9)
        return trainer.model.state_dict()

    whole, parts = trained(f"{folder}/whole.pt", [6]), trained(f"{folder}/parts.pt", [2, 1, 3])
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def words_are_found_where_they_are():
    said = [0, 0, 5, 5, 4, 4, 0, 7, 7, 7, 0]
    log_probs = np.full((len(said), 40), -6.0)
    log_probs[np.arange(len(said)), said] = -0.1
    found = aligned(("x", [[[3, 4], [5, 4]], [[7]]], log_probs))
    assert found["outputs"] == [5, 4, 7] and found["spans"] == [[4, 8], [8, 12], [14, 20]] and found["fit"] == 0


def edits_take_the_closest_pronunciation():
    assert edits([[[1, 2], [3]], [[4]]], [3, 4]) == 0
    assert edits([[[1, 2]], [[4]]], [1, 4]) == 1
    assert edits([[[1, 2]]], []) == 2


if __name__ == "__main__":
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        mels = write_utterances(folder)
        shards_keep_features(folder, mels)
        a_batch_changes_nothing(folder)
        a_run_goes_on_exactly(folder)
    words_are_found_where_they_are()
    edits_take_the_closest_pronunciation()
    print("all checks passed")
