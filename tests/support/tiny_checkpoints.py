"""Tiny models with random weights, saved as published checkpoints are."""

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from support.optional import torch, transformers

MARKS = ["<s>", "<pad>", "</s>", "<unk>"]
LETTERS = list("abcdefghijklmnopqrstuvwxyz.,?ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def tokenizer(folder, *, longest=30):
    """One token a letter, with RoBERTa's marks: <s> a </s>, <s> a </s></s> b </s>."""
    vocabulary = {t: i for i, t in enumerate([*MARKS, *LETTERS])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split("", "isolated")]
    )
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        model_max_length=longest,
    ).save_pretrained(folder)


def roberta_config(*, positions=34, **options):
    return transformers.RobertaConfig(
        vocab_size=len(MARKS) + len(LETTERS),
        hidden_size=8,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=positions,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        initializer_range=0.5,
        **options,
    )


def ids_of(folder, text, longest):
    """Token numbers by the plain rule: a letter a token, cut, marks around."""
    known = {t: i for i, t in enumerate([*MARKS, *LETTERS])}
    letters = [known.get(c, 3) for c in "".join(text.split())]
    return [0, *letters[: longest - 2], 2]


def mixed(model, scalars, gamma, ids):
    """The mixture of layers of one text in float64, by its formula."""
    with torch.inference_mode():
        hidden = model(torch.tensor([ids]), output_hidden_states=True).hidden_states
    weights = np.exp(scalars) / np.exp(scalars).sum()
    out = 0
    for w, h in zip(weights, hidden, strict=True):
        x = h[0].double().numpy()
        out = out + w * (x - x.mean()) / np.sqrt(x.var() + 1e-12)
    return gamma * out


def dense(tensors, x):
    """A head of two layers with tanh between."""
    a, b = (tensors[f"estimator.ff.{i}.weight"].double().numpy() for i in (0, 3))
    c, d = (tensors[f"estimator.ff.{i}.bias"].double().numpy() for i in (0, 3))
    return (np.tanh(a @ x + c) @ b.T + d).item()


def classifier(folder, *, labels, positions=34):
    """A RoBERTa that classifies texts or pairs; with one label it is a regression, as SLE is."""
    torch.manual_seed(1)
    config = roberta_config(num_labels=labels, positions=positions)
    transformers.RobertaForSequenceClassification(config).save_pretrained(folder)
    tokenizer(folder)


def t5(folder, **options):
    """A T5 that writes short texts."""
    torch.manual_seed(5)
    config = transformers.T5Config(
        vocab_size=100,
        d_model=8,
        d_kv=4,
        d_ff=16,
        num_layers=2,
        num_heads=2,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
        **options,
    )
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder)
    tokenizer(folder, longest=512)


LENS_SETTINGS = """
class_identifier: regression_metric_multi_ref
encoder_model: RoBERTa
pretrained_model: roberta-large
layer: mix
pool: avg
hidden_sizes:
- 6
activations: Tanh
final_activation: null
"""
SALSA_SETTINGS = """
class_identifier: unified_metric
encoder_model: RoBERTa
pretrained_model: roberta-large
sent_layer: mix
layer_transformation: sparsemax
hidden_sizes: [6]
activations: Tanh
word_level_training: true
"""


def lens(folder, settings, inputs, *, form="ckpt"):
    """LENS or LENS-SALSA as the hub has them: the folder of the encoder, the tensors, and the encoder."""
    torch.manual_seed(inputs)
    encoder = transformers.RobertaModel(roberta_config(), add_pooling_layer=False)
    tensors = {f"encoder.model.{k}": v for k, v in encoder.state_dict().items()}
    for i, value in enumerate((0.3, -0.2, 0.9)):
        tensors[f"layerwise_attention.scalar_parameters.{i}"] = torch.tensor([value])
    tensors["layerwise_attention.gamma"] = torch.tensor([1.5])
    for i, (a, b) in {0: (inputs, 6), 3: (6, 1)}.items():
        tensors[f"estimator.ff.{i}.weight"] = torch.randn(b, a) / a**0.5
        tensors[f"estimator.ff.{i}.bias"] = torch.randn(b)
    tensors["hidden2tag.weight"] = torch.zeros(2, 8)  # not used for the score
    (folder / "hparams.yaml").write_text(settings)
    (folder / "checkpoints").mkdir()
    if form == "ckpt":
        torch.save({"state_dict": tensors, "epoch": 3}, folder / "checkpoints" / "model.ckpt")
    else:
        from safetensors.torch import save_file

        save_file({k: v.clone() for k, v in tensors.items()}, folder / "model.safetensors")
    base = folder / "encoder"
    roberta_config().save_pretrained(base)
    tokenizer(base)
    return str(base), tensors, encoder.eval()


def referee(folder):
    """REFeREE as its authors' program saves it; the encoder and the last head."""
    torch.manual_seed(3)
    config = transformers.DebertaV2Config(
        vocab_size=len(MARKS) + len(LETTERS),
        hidden_size=8,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=512,
        type_vocab_size=0,
        relative_attention=True,
        position_buckets=8,
        pos_att_type=["p2c", "c2p"],
        initializer_range=0.5,
    )
    model = transformers.DebertaV2Model(config).eval()
    heads = [torch.nn.Linear(8, 1) for _ in range(13)]
    tensors = {f"deberta.{k}": v for k, v in model.state_dict().items()}
    for i, head in enumerate(heads):
        tensors |= {f"linear_out.{i}.weight": head.weight.data, f"linear_out.{i}.bias": head.bias.data}
    torch.save({"model_state_dict": tensors, "epoch": 1}, folder / "pretrained.bin")
    config.save_pretrained(folder / "encoder")
    tokenizer(folder / "encoder", longest=512)
    return model, heads[-1]
