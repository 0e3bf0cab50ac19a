"""Tiny models with random weights for QAEval and QAFactEval, in the layout of their authors' download script.

Written with numpy's numbers, so that torch 1.6 and Python 3.8 (the authors' program) make the very same models.
"""

import io
import json
import re
import tarfile
from pathlib import Path

import numpy as np

SIZE, HEADS, LAYERS, WIDE = 16, 2, 2, 32
MARKS = ("<m>", "</m>")
WORDS = (
    "the a of in and to is was who what when where did cat dog owl bird night ann bob scone scones buy bought "
    "morning today mouse mice water hunt hunts sea trade rule rules group . , ? ! ' s"
).split()

OUTPUTS = [
    "Ann walked to the bakery this morning.",
    "He bought some scones today",
    "The owls of the Night hunt mice.  Owls don't sleep!",
    "",
    "It is so.",
    " ".join(
        f"{'Team' if i % 20 in (5, 9) else 'team'}{i} made rule {i} about sea-trade." for i in range(60)
    ),
    "Naïve café's owner — Zoë — (re)bought 1,200 volumes\u00a0there.",
]
REFERENCES = [
    ["Ann went to buy scones earlier this morning.", "In the morning Ann bought scones."],
    ["Ann went to buy scones earlier this morning."],
    ["Owls hunt mice at Night. They sleep by Day.", "so it is"],
    ["Water boils."],
    ["so it is"],
    ["Team49 and Team5 made rules. Trade at sea grew."],
    ["Zoë bought old Books."],
]
SOURCES = [
    "Ann, who is fond of Scones, walked to the bakery this morning and bought a Dozen.",
    "Bob purchased numerous scones at the Bakery today.",
    "Owls are nocturnal: they hunt small Rodents, predominantly mice, at Night.",
    "Water boils at 100 degrees.",
    "",
    " ".join(
        f"the {'Team' if i % 20 in (5, 9) else 'team'}{i} adopted regulation {i} on maritime trade."
        for i in range(60)
    ),
    "The naïve proprietor of the café, Zoë, purchased 1,200 antiquated Volumes.",
]


class Piece(str):
    """A part of a text with its place, as spaCy's spans have it."""

    def __new__(cls, text, start, end, sentence=None):
        made = super().__new__(cls, text[start:end])
        made.text, made.start_char, made.end_char = text[start:end], start, end
        return made


def parse(text):
    """A stand-in for spaCy: sentences end at . or !, noun chunks are words with a capital or "s" at the end."""
    found = []
    for match in re.finditer(r"\S[^.!]*[.!]?", text):
        sentence = Piece(text, match.start(), match.end())
        words = re.finditer(r"(?:the |The )?(?:[^\W\d_][\w-]*)", sentence)
        places = [(match.start() + w.start(), match.start() + w.end()) for w in words]
        sentence.noun_chunks = [
            Piece(text, *p)
            for p in places
            if re.search(r"[A-Z]|s$", text[slice(*p)]) and text[slice(*p)] != "is"
        ]
        found.append(sentence)
    doc = Piece(text, 0, len(text))
    doc.sents = found
    return doc


def numbers(shapes, seed):
    """Random weights by name; gains of normalisations are about 1."""
    rng = np.random.default_rng(seed)
    made = {}
    for name, shape in shapes.items():
        gain = name.endswith("weight") and ("norm" in name.lower())
        made[name] = (rng.normal(0, 0.6, shape) + gain).astype(np.float32)
    return made


def linear(name, rows, columns):
    return {f"{name}.weight": (rows, columns), f"{name}.bias": (rows,)}


def norm(name):
    return {f"{name}.weight": (SIZE,), f"{name}.bias": (SIZE,)}


def bart_shapes(vocabulary, positions):
    shapes = {"final_logits_bias": (1, vocabulary), "model.shared.weight": (vocabulary, SIZE)}
    for side in ("encoder", "decoder"):
        shapes[f"model.{side}.embed_positions.weight"] = (positions + 2, SIZE)
        shapes.update(norm(f"model.{side}.layernorm_embedding"))
        for i in range(LAYERS):
            layer = f"model.{side}.layers.{i}."
            for attention in ("self_attn", "encoder_attn")[: 1 + (side == "decoder")]:
                for part in ("k_proj", "v_proj", "q_proj", "out_proj"):
                    shapes.update(linear(f"{layer}{attention}.{part}", SIZE, SIZE))
                shapes.update(norm(f"{layer}{attention}_layer_norm"))
            shapes.update(linear(layer + "fc1", WIDE, SIZE))
            shapes.update(linear(layer + "fc2", SIZE, WIDE))
            shapes.update(norm(layer + "final_layer_norm"))
    return shapes


def bert_shapes(prefix, vocabulary, positions, types=2):
    shapes = {
        f"{prefix}embeddings.word_embeddings.weight": (vocabulary, SIZE),
        f"{prefix}embeddings.position_embeddings.weight": (positions, SIZE),
        f"{prefix}embeddings.token_type_embeddings.weight": (types, SIZE),
    }
    shapes.update(norm(f"{prefix}embeddings.LayerNorm"))
    for i in range(LAYERS):
        layer = f"{prefix}encoder.layer.{i}."
        for part in (
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        ):
            shapes.update(linear(layer + part, SIZE, SIZE))
        shapes.update(norm(layer + "attention.output.LayerNorm"))
        shapes.update(linear(layer + "intermediate.dense", WIDE, SIZE))
        shapes.update(linear(layer + "output.dense", SIZE, WIDE))
        shapes.update(norm(layer + "output.LayerNorm"))
    return shapes


COMMON = {
    "hidden_size": SIZE,
    "embedding_size": SIZE,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "intermediate_size": WIDE,
    "hidden_act": "gelu",
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
    "pad_token_id": 0,
}


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


def save(torch, tensors, path):
    torch.save({k: torch.from_numpy(np.array(v)) for k, v in tensors.items()}, str(path))


def word_pieces(folder):
    """WordPiece with whole words, letters and endings; lower case."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789-()"
    known = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    known += [c for c in letters if c not in known] + [f"##{c}" for c in letters] + ["##ing", "##ed"]
    (folder / "vocab.txt").write_text("\n".join(known) + "\n", "utf-8")
    write_json(folder / "tokenizer_config.json", {"do_lower_case": True, "model_max_length": 512})
    return len(known)


def byte_pairs(folder, kind):
    """Byte-level BPE with a few merges."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = [chr(b) for b in plain] + [chr(256 + i) for i in range(256 - len(plain))]
    merges = ["t h", "th e", "Ġ the", "a n", "Ġ w", "Ġw h", "i n", "Ġ o", "Ġo w", "Ġow l", "n n", "A nn"]
    known = ["<s>", "<pad>", "</s>", "<unk>", *letters, *(m.replace(" ", "") for m in merges), "<mask>"]
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "vocab.json", {token: i for i, token in enumerate(known)})
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(merges) + "\n", "utf-8")
    write_json(folder / "tokenizer_config.json", {"model_max_length": 512, "tokenizer_class": kind})
    return len(known)


def archive(path, config, weights, extra=()):
    """An AllenNLP archive of these bytes."""
    members = [("config.json", json.dumps(config).encode()), ("weights.th", weights)]
    members += [("vocabulary/non_padded_namespaces.txt", b"*tags\n*labels\n"), *extra]
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(str(path), "w:gz") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))


def weights_bytes(torch, tensors):
    held = io.BytesIO()
    torch.save({k: torch.from_numpy(np.array(v)) for k, v in tensors.items()}, held)
    return held.getvalue()


def write(torch, root):
    """All models under a folder: generation, answering, lerc, quip-512-mocha, and the bases bart and bert."""
    root = Path(root)
    bart, bert = root / "bart", root / "bert"
    vocabulary = byte_pairs(bart, "BartTokenizer")
    config = {
        "model_type": "bart",
        "architectures": ["BartForConditionalGeneration"],
        "vocab_size": vocabulary,
        "d_model": SIZE,
        "max_position_embeddings": 256,
        "activation_function": "gelu",
        "bos_token_id": 0,
        "pad_token_id": 1,
        "eos_token_id": 2,
        "decoder_start_token_id": 2,
        "is_encoder_decoder": True,
        "scale_embedding": False,
    }
    for side in ("encoder", "decoder"):
        config.update({f"{side}_layers": LAYERS, f"{side}_attention_heads": HEADS, f"{side}_ffn_dim": WIDE})
    write_json(bart / "config.json", config)
    save(torch, with_copies(numbers(bart_shapes(vocabulary, 256), 1)), bart / "pytorch_model.bin")
    tensors = numbers(bart_shapes(vocabulary + len(MARKS), 256), 602)
    for name in tensors:
        if "decoder.layers" in name and "norm" not in name:
            tensors[name] *= 3  # so that the questions depend on the text, and are not one letter
    tensors["model.decoder.embed_positions.weight"] *= 3
    bias = np.full((1, vocabulary + len(MARKS)), -30, np.float32)
    bias[
        0,
        [
            2,
            *range(4 + 32, 4 + 94),
            *range(vocabulary - 13, vocabulary - 1),
            *range(vocabulary, vocabulary + 2),
        ],
    ] = 0
    bias[0, 2] = 3  # questions of letters, which end
    tensors["final_logits_bias"] = bias
    own = {f"bart.{k}": v for k, v in with_copies(tensors).items()}
    named = {"type": "question_generation", "model_name": str(bart)}
    archive(
        root / "generation" / "model.tar.gz",
        {"dataset_reader": {**named, "lazy": False}, "model": {**named, "max_decoding_steps": 14}},
        weights_bytes(torch, own),
    )

    answering = root / "answering"
    answering.mkdir(exist_ok=True)
    size = word_pieces(answering)
    write_json(
        answering / "config.json",
        {
            "model_type": "electra",
            "vocab_size": size,
            **COMMON,
            "architectures": ["ElectraForQuestionAnswering"],
        },
    )
    shapes = {**bert_shapes("electra.", size, 512), **linear("qa_outputs", 2, SIZE)}
    tensors = {
        k: v * (0.4 if "encoder.layer" in k and "Norm" not in k else 1)
        for k, v in numbers(shapes, 303).items()
    }
    words = tensors["electra.embeddings.word_embeddings.weight"]
    words[0] = -2 * tensors["qa_outputs.weight"].sum(0)  # padding is no answer
    words[2] = 2 * tensors["qa_outputs.weight"].sum(0)  # some questions have none
    save(torch, tensors, answering / "pytorch_model.bin")

    bert.mkdir(exist_ok=True)
    size = word_pieces(bert)
    write_json(bert / "config.json", {"model_type": "bert", "vocab_size": size, **COMMON})
    shapes = {**bert_shapes("", size, 512), **linear("pooler.dense", SIZE, SIZE)}
    save(torch, numbers(shapes, 4), bert / "pytorch_model.bin")
    own = {f"bert.{k}": v for k, v in numbers(shapes, 5).items()}
    named = {"type": "pretrain-lerc", "bert_model": str(bert)}
    reader = {"type": "lerc", "bert_model": str(bert), "max_length": 512}
    archive(
        root / "lerc" / "pretraining.tar.gz",
        {"dataset_reader": reader, "model": named},
        weights_bytes(torch, {**own, **numbers(linear("label_layer", 3, SIZE), 6)}),
    )
    own = {f"bert.{k}": v for k, v in numbers(shapes, 7).items()}
    archive(
        root / "lerc" / "model.tar.gz",
        {
            "dataset_reader": reader,
            "model": {"type": "lerc", "bert_model": str(bert), "pretrained_archive_path": "x"},
        },
        weights_bytes(torch, {**own, **numbers(linear("score_layer", 1, SIZE), 8)}),
    )

    quip = root / "quip-512-mocha"
    size = byte_pairs(quip, "RobertaTokenizer")
    write_json(
        quip / "config.json",
        {
            "model_type": "roberta",
            "vocab_size": size,
            **COMMON,
            "num_labels": 1,
            "max_position_embeddings": 514,
            "type_vocab_size": 1,
            "pad_token_id": 1,
            "bos_token_id": 0,
            "eos_token_id": 2,
            "layer_norm_eps": 1e-5,
            "id2label": {"0": "LABEL_0"},
            "label2id": {"LABEL_0": 0},
        },
    )
    shapes = {
        **bert_shapes("roberta.", size, 514, 1),
        **linear("classifier.dense", SIZE, SIZE),
        **linear("classifier.out_proj", 1, SIZE),
    }
    save(torch, numbers(shapes, 9), quip / "pytorch_model.bin")


def with_copies(tensors):
    """BART's weights with the copies of the word vectors that state dicts hold."""
    copies = {
        f"model.{s}.embed_tokens.weight": tensors["model.shared.weight"] for s in ("encoder", "decoder")
    }
    return {**tensors, **copies}


# Stand-ins for QuestEval's models: plain rules with numbers of every kind, a little over 1 among them.


def names_and_nouns(text):
    """Words with a capital, and words of more than three letters."""
    words = re.findall(r"\w+", text)
    return [w for w in words if w[0].isupper()], [w for w in words if len(w) > 3]


def plain_question(answer, text):
    return f"{answer[:2].lower()} {len(text) % 5}?"


def plain_answer(question, text):
    """A word of the text that begins as the question does, and how sure that is."""
    words = [w for w in text.split() if w.lower().startswith(question[:2])]
    return (words[-1] if words else "unanswerable"), (len(text) * 7 + len(question)) % 11 / 10


def plain_similarity(a, b):
    same = len(set(a) & set(b)) / max(1, len(set(a) | set(b)))
    return 1.05 * same
