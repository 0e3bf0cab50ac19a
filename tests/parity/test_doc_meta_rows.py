"""BLEU, modified SARI and D-SARI of documents: the values of Agg's own programs, row by row."""

import numpy as np
import pytest

import plainmark as pm

FILES = [
    "cochrance_lj",
    "dwiki_final",
    "qa",
    "peturb_deletion",
    "peturb_indomain",
    "peturb_outdomain",
    "peturb_fluency",
    "peturb_coherence_v2",
    "peturb_copy_v2",
]
SPECS = {"BLEU": "bleu(lowercase=True)", "SARI": "sari(variant='agg')", "DSARI": "dsari(tokenizer='nltk')"}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", SPECS)
def test_rows(doc_meta, golden, file, name):
    expected = np.array(golden("doc_meta_rows")["values"][file][name]).T
    rows, corpora = doc_meta(file)
    metric = pm.metric(SPECS[name])
    scores = np.array([metric.sample_scores(corpus) for corpus in corpora])
    np.testing.assert_allclose(scores, expected.reshape(len(corpora), len(rows)), rtol=0, atol=1e-6)
