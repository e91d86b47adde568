"""Writes a tiny model in the shape of Moonshine, with which the speech pack is tested: python3 make_tiny_pack.py tiny-pack

It is built by hand, not trained: it says "yes" for each loud second of speech, "no" for each quiet one, and nothing after the last whole
second. In a second that is barely loud, "yes" and "maybe" are about as probable. Needs Debian's python3-onnx. Licence: MIT, as the project.
"""

import json
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SAMPLE_RATE_HZ = 16_000
VOCABULARY = ["<s>", "</s>", "▁no", "▁yes", "▁maybe", "▁know"]
# Logits are linear in the loudness of a second: 0 to 1, and -1 after the end.
SLOPES = np.array([[0, -20, 0, 100, 95, 0]], np.float32)
INTERCEPTS = np.array([-50, 0, 1, -4, -4.1, 0.5], np.float32)
CACHE = [f"{side}.{part}" for side in ("decoder", "encoder") for part in ("key", "value")]


def constant(name, value, kind=np.int64):
    return numpy_helper.from_array(np.asarray(value, kind), name)


def value(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def save(folder, name, nodes, inputs, outputs, constants):
    graph = helper.make_graph(nodes, name, inputs, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, f"{folder}/onnx/{name}.onnx")


def save_encoder(folder):
    """The mean of |x| in each second, then -1."""
    node = helper.make_node
    nodes = [
        node("Abs", ["input_values"], ["magnitude"]),
        node("Unsqueeze", ["magnitude", "one"], ["channels"]),
        node("AveragePool", ["channels"], ["loudness"], kernel_shape=[SAMPLE_RATE_HZ], strides=[SAMPLE_RATE_HZ]),
        node("Pad", ["loudness", "pads", "end"], ["ended"]),
        node("Transpose", ["ended"], ["last_hidden_state"], perm=[0, 2, 1]),
    ]
    constants = [constant("one", [1]), constant("pads", [0, 0, 0, 0, 0, 1]), constant("end", -1, np.float32)]
    save(folder, "encoder_model", nodes, [value("input_values", [1, "samples"])],
         [value("last_hidden_state", [1, "seconds", 1])], constants)


def save_decoder(folder):
    """Token n is that of second n. The cache only counts the tokens."""
    node = helper.make_node
    nodes = [
        node("Shape", ["past_key_values.0.decoder.key"], ["past_shape"]),
        node("Gather", ["past_shape", "axis_2"], ["past"]),
        node("Shape", ["input_ids"], ["ids_shape"]),
        node("Gather", ["ids_shape", "axis_1"], ["length"]),
        node("Range", ["zero", "length", "axis_1"], ["steps"]),
        node("Add", ["steps", "past"], ["positions"]),
        node("Shape", ["encoder_hidden_states"], ["states_shape"]),
        node("Gather", ["states_shape", "axis_1"], ["seconds"]),
        node("Sub", ["seconds", "axis_1"], ["last"]),
        node("Min", ["positions", "last"], ["at"]),
        node("Gather", ["encoder_hidden_states", "at"], ["loudness"], axis=1),
        node("MatMul", ["loudness", "slopes"], ["scaled"]),
        node("Add", ["scaled", "intercepts"], ["logits"]),
        node("Unsqueeze", ["length", "first"], ["length_vector"]),
        node("Concat", ["batch_and_heads", "length_vector", "one"], ["new_shape"], axis=0),
        node("ConstantOfShape", ["new_shape"], ["new"], value=numpy_helper.from_array(np.array([0], np.float32))),
        node("Concat", ["past_key_values.0.decoder.key", "new"], ["present.0.decoder.key"], axis=2),
        node("Concat", ["past_key_values.0.decoder.value", "new"], ["present.0.decoder.value"], axis=2),
        node("Unsqueeze", ["encoder_hidden_states", "one"], ["states"]),
        node("Identity", ["states"], ["present.0.encoder.key"]),
        node("Identity", ["states"], ["present.0.encoder.value"]),
    ]
    inputs = [
        value("input_ids", [1, "tokens"], TensorProto.INT64),
        value("encoder_hidden_states", [1, "seconds", 1]),
        *[value(f"past_key_values.0.{name}", [1, 1, f"past_{name}", 1]) for name in CACHE],
        value("use_cache_branch", [1], TensorProto.BOOL),
    ]
    outputs = [
        value("logits", [1, "tokens", len(VOCABULARY)]),
        *[value(f"present.0.{name}", [1, 1, f"present_{name}", 1]) for name in CACHE],
    ]
    constants = [
        constant("slopes", SLOPES, np.float32), constant("intercepts", INTERCEPTS, np.float32), constant("zero", 0),
        constant("axis_1", 1), constant("axis_2", 2), constant("first", [0]), constant("one", [1]),
        constant("batch_and_heads", [1, 1]),
    ]
    save(folder, "decoder_model_merged", nodes, inputs, outputs, constants)


def save_settings(folder):
    heads = {f"{side}_num_{what}": 1 for side in ("encoder", "decoder")
             for what in ("hidden_layers", "attention_heads", "key_value_heads")}
    tokens = {"bos_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
    files = {
        "config.json": {"architectures": ["MoonshineForConditionalGeneration"], "model_type": "moonshine",
                        "is_encoder_decoder": True, "hidden_size": 1, "vocab_size": len(VOCABULARY),
                        "max_position_embeddings": 194, **heads, **tokens},
        "generation_config.json": {**tokens, "max_length": 194},
        "preprocessor_config.json": {"feature_extractor_type": "Wav2Vec2FeatureExtractor", "processor_class": "Wav2Vec2Processor",
                                     "sampling_rate": SAMPLE_RATE_HZ, "feature_size": 1, "padding_value": 0.0,
                                     "do_normalize": False, "return_attention_mask": False},
        "tokenizer_config.json": {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>", "eos_token": "</s>",
                                  "clean_up_tokenization_spaces": False},
        "tokenizer.json": {
            "version": "1.0", "truncation": None, "padding": None, "normalizer": None, "pre_tokenizer": None,
            "post_processor": None,
            "added_tokens": [{"id": id, "content": VOCABULARY[id], "single_word": False, "lstrip": False, "rstrip": False,
                              "normalized": False, "special": True} for id in (0, 1)],
            "decoder": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True, "prepend_scheme": "always",
                        "split": True},
            "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                      "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                      "vocab": {token: id for id, token in enumerate(VOCABULARY)}, "merges": []},
        },
    }
    for name, content in files.items():
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            json.dump(content, file, ensure_ascii=False, indent=2)
            file.write("\n")


if __name__ == "__main__":
    save_encoder(sys.argv[1])
    save_decoder(sys.argv[1])
    save_settings(sys.argv[1])
