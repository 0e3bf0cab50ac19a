"""Slow and obvious versions of what the kernels and the n-gram metrics compute; the tests compare both."""

from collections import Counter


def edit_distance(a, b):
    """Levenshtein distance by the textbook table."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (x != y)))
    return row[-1]


def lcs_table(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if x == y else max(table[i - 1][j], table[i][j - 1])
    return table


def lcs_length(a, b):
    return lcs_table(a, b)[-1][-1]


def lcs_match(a, b):
    """Partner in b of each token of a, walking back from the ends and preferring to shorten a."""
    table = lcs_table(a, b)
    partner = [-1] * len(a)
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            partner[i] = j
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return partner


def grams(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def overlap(a, b, n):
    return (grams(a, n) & grams(b, n)).total()


def is_subsequence(gram, tokens):
    rest = iter(tokens)
    return all(token in rest for token in gram)


def times(counter, k):
    return Counter({g: k * c for g, c in counter.items()})


def mean(values):
    return sum(values) / len(values)


def sari_ratios(source, output, references, n, options, plain_source):
    """The six quotients of SARI for n-grams of one length, as (numerator, denominator)."""
    copies = len(references)
    counted = (lambda text, n: Counter(set(grams(text, n)))) if options["binary"] else grams
    s, o = times(counted(source, n), copies), times(counted(output, n), copies)
    r = sum((counted(reference, n) for reference in references), Counter())

    added, added_by_references = set(o) - set(s), set(r) - set(s)
    if options["add_recall"] == "output":
        added_by_references &= added
    good = added & set(r)
    if options["additions"] == "new":
        good = {g for g in good if set(g) - set(source) or not is_subsequence(g, plain_source)}
    ratios = [(len(good), len(added)), (len(good), len(added_by_references))]

    kept, kept_by_references = s & o, s & r
    good = kept & r
    for how, whole in ((options["keep_precision"], kept), (options["keep_recall"], kept_by_references)):
        ratios.append(share(good, whole, how))

    deleted, deleted_by_references = s - o, s - r
    good = deleted & deleted_by_references if options["delete_good"] == "intersection" else deleted - r
    wholes = (deleted, deleted_by_references)
    return ratios + [share(good, whole, options["delete_average"]) for whole in wholes]


def share(part, whole, how):
    if how == "sum":
        return part.total(), whole.total()
    return sum(part[g] / whole[g] for g in whole), len(whole)


def f1(p, r):
    return 2 * p * r / (p + r) if p + r else 0.0


def sari(samples, options):
    """SARI and its parts; a sample is (source, output, references, source split at white space), all in tokens."""
    orders = range(1, options["order"] + 1)
    counts = [[sari_ratios(*x[:3], n, options, x[3]) for n in orders] for x in samples]
    if options["pooling"] == "corpus":
        pooled = [
            [tuple(map(sum, zip(*(sample[n][k] for sample in counts), strict=True))) for k in range(6)]
            for n in range(len(orders))
        ]
        parts = sari_parts(pooled, options)
    else:
        parts = [mean(column) for column in zip(*(sari_parts(c, options) for c in counts), strict=True)]
    return [mean(parts), *parts]


def sari_parts(counts, options):
    values = [[a / b if b else options["empty_ratio"] for a, b in of_order] for of_order in counts]
    if options["f_of_averages"]:
        values = [[mean(column) for column in zip(*values, strict=True)]]
    add = mean([f1(v[0], v[1]) for v in values])
    keep = mean([f1(v[2], v[3]) for v in values])
    delete = mean([v[4] if options["delete_score"] == "precision" else f1(v[4], v[5]) for v in values])
    return [100 * add, 100 * keep, 100 * delete]


def prefers_turin(premises, hypotheses):
    """A stand-in for a model of contradiction."""
    return [float("Turin" in h) for h in hypotheses]


def shouted(sentences):
    """A stand-in for a paraphraser."""
    return [s.upper() for s in sentences]
