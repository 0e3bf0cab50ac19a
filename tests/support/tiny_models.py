"""Small models with random weights, written as folders in Hugging Face's layout; the same numbers every time."""

import json

import numpy as np
from tokenizers import Tokenizer, pre_tokenizers, processors
from tokenizers.models import WordLevel

WORDS = "the a cat dog sat on mat owl owls hunt at night water boils . , not small animals eat".split()
TEXTS = ["The cat sat on the mat .", "Owls hunt at night , the dog not .", "Water boils .", "nonsense"]
SIZE, HEADS, LAYERS, WIDE, LONGEST = 32, 4, 3, 48, 40


def write_safetensors(path, tensors):
    header, start = {}, 0
    for name, values in tensors.items():
        kind = {"float32": "F32", "float16": "F16", "uint16": "BF16", "int8": "I8"}[values.dtype.name]
        header[name] = {
            "dtype": kind,
            "shape": list(values.shape),
            "data_offsets": [start, start + values.nbytes],
        }
        start += values.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    data = b"".join(np.ascontiguousarray(v).tobytes() for v in tensors.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def write(folder, family):
    """A model folder of a family: bert, roberta, distilbert, mpnet, deberta-v2, gpt2, llama."""
    folder.mkdir(parents=True, exist_ok=True)
    config, shapes = FAMILIES[family]()
    rng = np.random.default_rng(7)
    tensors = {}
    for name, shape in shapes.items():
        norm = "norm" in name.lower() or ".ln_" in name or name.startswith("ln_")
        centre = 1.0 if norm and name.endswith("weight") else 0.0
        tensors[name] = rng.normal(centre, 0.15, shape).astype(np.float32)
    (folder / "config.json").write_text(json.dumps({"model_type": family} | config))
    write_safetensors(folder / "model.safetensors", tensors)
    marks = ("[CLS]", "[PAD]", "[SEP]", "[UNK]")
    tokenizer = Tokenizer(WordLevel({w: i for i, w in enumerate([*marks, *WORDS])}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    if family not in ("gpt2", "llama"):
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 0), ("[SEP]", 2)]
        )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def linear(name, wide, narrow):
    return {f"{name}.weight": (wide, narrow), f"{name}.bias": (wide,)}


def norm(name):
    return {f"{name}.weight": (SIZE,), f"{name}.bias": (SIZE,)}


VOCABULARY = len(WORDS) + 4
COMMON = {
    "vocab_size": VOCABULARY,
    "hidden_size": SIZE,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "intermediate_size": WIDE,
    "hidden_act": "gelu",
    "pad_token_id": 1,
    "bos_token_id": 0,
    "eos_token_id": 2,
}


def embeddings(positions, types):
    shapes = {
        "embeddings.word_embeddings.weight": (VOCABULARY, SIZE),
        "embeddings.position_embeddings.weight": (positions, SIZE),
    }
    if types:
        shapes["embeddings.token_type_embeddings.weight"] = (types, SIZE)
    return shapes | norm("embeddings.LayerNorm")


def bert_layers(
    attention="attention.self.{}", names=("query", "key", "value"), after="attention.output.dense"
):
    shapes = {}
    for i in range(LAYERS):
        layer = f"encoder.layer.{i}."
        for name in names:
            shapes |= linear(layer + attention.format(name), SIZE, SIZE)
        shapes |= linear(layer + after, SIZE, SIZE)
        shapes |= norm(layer + ("attention.LayerNorm" if "attn" in after else "attention.output.LayerNorm"))
        shapes |= linear(layer + "intermediate.dense", WIDE, SIZE)
        shapes |= linear(layer + "output.dense", SIZE, WIDE) | norm(layer + "output.LayerNorm")
    return shapes


def bert():
    config = COMMON | {"max_position_embeddings": LONGEST, "type_vocab_size": 2, "layer_norm_eps": 1e-12}
    return config, embeddings(LONGEST, 2) | bert_layers()


def roberta():
    config = COMMON | {"max_position_embeddings": LONGEST + 2, "type_vocab_size": 1, "layer_norm_eps": 1e-5}
    return config, embeddings(LONGEST + 2, 1) | bert_layers()


def mpnet():
    config = COMMON | {
        "max_position_embeddings": LONGEST + 2,
        "layer_norm_eps": 1e-5,
        "relative_attention_num_buckets": 32,
    }
    layers = bert_layers("attention.attn.{}", ("q", "k", "v"), "attention.attn.o")
    return config, embeddings(LONGEST + 2, 0) | {
        "encoder.relative_attention_bias.weight": (32, HEADS)
    } | layers


def distilbert():
    config = {
        "vocab_size": VOCABULARY,
        "dim": SIZE,
        "n_layers": LAYERS,
        "n_heads": HEADS,
        "hidden_dim": WIDE,
        "activation": "gelu",
        "max_position_embeddings": LONGEST,
        "pad_token_id": 1,
    }
    shapes = embeddings(LONGEST, 0)
    for i in range(LAYERS):
        layer = f"transformer.layer.{i}."
        for name in ("q_lin", "k_lin", "v_lin", "out_lin"):
            shapes |= linear(f"{layer}attention.{name}", SIZE, SIZE)
        shapes |= norm(layer + "sa_layer_norm") | linear(layer + "ffn.lin1", WIDE, SIZE)
        shapes |= linear(layer + "ffn.lin2", SIZE, WIDE) | norm(layer + "output_layer_norm")
    return config, shapes


def deberta():
    config = COMMON | {
        "max_position_embeddings": LONGEST,
        "type_vocab_size": 0,
        "layer_norm_eps": 1e-7,
        "relative_attention": True,
        "max_relative_positions": LONGEST,
        "position_buckets": 16,
        "pos_att_type": ["p2c", "c2p"],
        "share_att_key": True,
        "norm_rel_ebd": "layer_norm",
        "position_biased_input": False,
    }
    shapes = embeddings(LONGEST, 0)
    del shapes["embeddings.position_embeddings.weight"]
    shapes |= {"encoder.rel_embeddings.weight": (32, SIZE)} | norm("encoder.LayerNorm")
    return config, shapes | bert_layers(names=("query_proj", "key_proj", "value_proj"))


def gpt2():
    config = {
        "vocab_size": VOCABULARY,
        "n_embd": SIZE,
        "n_layer": LAYERS,
        "n_head": HEADS,
        "n_positions": LONGEST,
        "activation_function": "gelu_new",
        "layer_norm_epsilon": 1e-5,
        "bos_token_id": 0,
        "eos_token_id": 2,
    }
    shapes = {"wte.weight": (VOCABULARY, SIZE), "wpe.weight": (LONGEST, SIZE)} | norm("ln_f")
    for i in range(LAYERS):
        layer = f"h.{i}."
        shapes |= norm(layer + "ln_1") | norm(layer + "ln_2")
        for name, rows, columns in (
            ("attn.c_attn", SIZE, 3 * SIZE),
            ("attn.c_proj", SIZE, SIZE),
            ("mlp.c_fc", SIZE, 4 * SIZE),
            ("mlp.c_proj", 4 * SIZE, SIZE),
        ):
            shapes |= {f"{layer}{name}.weight": (rows, columns), f"{layer}{name}.bias": (columns,)}
    return config, shapes


def llama():
    config = COMMON | {
        "hidden_act": "silu",
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "max_position_embeddings": LONGEST,
        "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0,
        "tie_word_embeddings": False,
        "pad_token_id": None,
    }
    half = SIZE // 2
    shapes = {
        "model.embed_tokens.weight": (VOCABULARY, SIZE),
        "model.norm.weight": (SIZE,),
        "lm_head.weight": (VOCABULARY, SIZE),
    }
    for i in range(LAYERS):
        layer = f"model.layers.{i}."
        shapes |= {
            f"{layer}input_layernorm.weight": (SIZE,),
            f"{layer}post_attention_layernorm.weight": (SIZE,),
            f"{layer}self_attn.q_proj.weight": (SIZE, SIZE),
            f"{layer}self_attn.k_proj.weight": (half, SIZE),
            f"{layer}self_attn.v_proj.weight": (half, SIZE),
            f"{layer}self_attn.o_proj.weight": (SIZE, SIZE),
            f"{layer}mlp.gate_proj.weight": (WIDE, SIZE),
            f"{layer}mlp.up_proj.weight": (WIDE, SIZE),
            f"{layer}mlp.down_proj.weight": (SIZE, WIDE),
        }
    return config, shapes


FAMILIES = {
    "bert": bert,
    "roberta": roberta,
    "distilbert": distilbert,
    "mpnet": mpnet,
    "deberta-v2": deberta,
    "gpt2": gpt2,
    "llama": llama,
}
