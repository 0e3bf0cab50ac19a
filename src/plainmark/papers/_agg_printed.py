"""The 252 figures that the Agg paper prints in Tables 1 to 5."""

from __future__ import annotations

from . import grid

COLUMNS = (
    "cochrane.readability",
    "dwiki.fluency(grammar)",
    "dwiki.meaning",
    "dwiki.simplicity-overall",
    "qa.accuracy",
    "qa.answerability",
)
TABLE_1 = grid(
    COLUMNS,
    {
        "BLEU": "-0.183 0.251 0.119 0.432 0.261 0.240",
        "SARI": "-0.083 0.257 -0.023 0.386 0.150 0.136",
        "BERTScore": "0.183 0.017 0.037 0.012 0.365 0.344",
        "LENS": "0.383 0.623 -0.114 0.461 0.196 0.179",
        "SLE": "0.150 -0.067 0.259 -0.073 -0.119 -0.111",
        "LENS-SALSA": "0.200 0.611 0.041 0.489 0.123 0.118",
        "REFeree": "0.316 0.417 0.200 0.440 0.083 0.046",
        "DSARI": "-0.017 0.331 -0.138 0.414 0.068 0.041",
        "QuestEval": "0.016 0.227 0.557 0.389 0.300 0.317",
        "LLAMA3": "0.117 0.619 0.416 0.452 0.309 0.280",
        "Agg-SARI": "0.0 0.338 0.067 0.498 0.172 0.149",
        "Agg-BERTScore": "0.167 0.235 0.418 0.498 0.366 0.375",
        "Agg-LENS": "0.433 0.573 -0.003 0.506 0.360 0.353",
        "Agg-SLE": "-0.05 -0.142 0.498 -0.102 0.041 0.078",
        "Agg-LENS-SALSA": "0.217 0.520 0.142 0.370 0.183 0.176",
        "Agg-REFeree": "0.017 0.258 0.455 0.329 0.326 0.328",
    },
)
# The released file, and the error that was inserted into its texts.
ERRORS = (
    "peturb_deletion/deletion",
    "peturb_indomain/indomain",
    "peturb_outdomain/outdomain",
    "peturb_fluency/fluency",
    "peturb_coherence_v2/coherence",
    "peturb_copy_v2/copy",
)
TABLE_2 = grid(
    ERRORS,
    {
        "BLEU": "73.3 80.0 83.3 96.7 91.0 11.6",
        "SARI": "88.3 45.0 63.3 81.7 81.7 43.3",
        "BERTScore": "83.3 96.7 100.0 100.0 90.0 15.6",
        "LENS": "60.0 53.3 88.3 100.0 73.3 83.3",
        "SLE": "43.3 86.7 91.7 50.0 45.0 26.7",
        "LENS-SALSA": "65.0 51.7 60.0 100.0 66.3 90.0",
        "REFeree": "10.7 98.1 98.6 100.0 83.7 91.7",
        "DSARI": "43.3 88.3 88.3 83.3 81.7 60.0",
        "QuestEval": "63.3 20.0 86.7 65.0 80.0 21.6",
        "LLAMA3": "83.3 96.7 98.3 100.0 90.0 80.0",
        "Agg-SARI": "80.0 88.3 100.0 78.3 91.7 63.0",
        "Agg-BERTScore": "81.1 95.0 96.7 90.0 98.3 8.6",
        "Agg-LENS": "81.7 68.3 80.0 100.0 81.6 46.7",
        "Agg-SLE": "85.0 60.3 60.0 55.0 76.7 31.7",
        "Agg-LENS-SALSA": "71.6 46.7 43.3 100.0 86.7 68.3",
        "Agg-REFeree": "76.3 88.3 85.0 100.0 90.0 70.3",
    },
)
# Means over the dimensions of a data set.
MEANS = ("cochrane", "dwiki", "qa")
TABLE_3 = grid(
    MEANS,
    {
        "Agg-SARI, many to many": "0.0 0.301 0.160",
        "Agg-BERTScore, many to many": "0.167 0.384 0.371",
        "Agg-LENS, many to many": "0.433 0.358 0.356",
        "Agg-SARI, best source": "0.033 0.181 0.116",
        "Agg-BERTScore, best source": "0.1 0.301 0.337",
        "Agg-LENS, best source": "0.367 0.267 0.252",
        "Agg-SARI, best output": "-0.017 0.192 0.118",
        "Agg-BERTScore, best output": "0.0 0.303 0.341",
        "Agg-LENS, best output": "0.383 0.252 0.244",
    },
)
TABLE_4 = grid(
    MEANS,
    {
        "Agg-SARI, Jiang et al.": "0.033 0.301 0.160",
        "Agg-BERTScore, Jiang et al.": "0.167 0.384 0.371",
        "Agg-LENS, Jiang et al.": "0.433 0.358 0.356",
        "Agg-SARI, BERTScore": "0.033 0.198 0.111",
        "Agg-BERTScore, BERTScore": "0.17 0.295 0.321",
        "Agg-LENS, BERTScore": "0.267 0.225 0.202",
        "Agg-SARI, SentenceBERT": "-0.05 0.259 0.124",
        "Agg-BERTScore, SentenceBERT": "-0.033 0.319 0.226",
        "Agg-LENS, SentenceBERT": "0.233 0.321 0.290",
    },
)
# Mean length in words, as printed; the rows of ONESTOPQA and D-WIKI are exchanged.
TABLE_5 = grid(
    ("complex", "simple"),
    {"cochrane": "396.7 213.4", "qa": "172.3 92.4", "dwiki": "137.1 123.9"},
)
