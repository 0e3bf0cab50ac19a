// The doors into the kernels. Text comes as lists of str, everything else as flat arrays; work runs without the GIL.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "decode/chart.hpp"
#include "bindings/bindings.hpp"
#include "ngram/extract.hpp"
#include "ngram/meteor.hpp"
#include "ngram/ngrams.hpp"
#include "stats/ranks.hpp"
#include "text/readability.hpp"
#include "ngram/sequences.hpp"
#include "text/tokenize.hpp"
#include "text/treebank.hpp"

namespace {

GramView view(const Hashes& keys, const Counts& counts, const Offsets& offsets) {
  return {keys.data(), counts.data(), offsets.data()};
}

Sequence slice(const Hashes& tokens, const Offsets& offsets, int64_t i) {
  return {tokens.data() + offsets.data()[i], static_cast<size_t>(offsets.data()[i + 1] - offsets.data()[i])};
}

std::u32string to_points(nb::handle text) {
  static_assert(sizeof(char32_t) == sizeof(Py_UCS4));
  std::u32string points(PyUnicode_GET_LENGTH(text.ptr()), U' ');
  if (!PyUnicode_AsUCS4(text.ptr(), reinterpret_cast<Py_UCS4*>(points.data()), points.size(), 0))
    throw nb::python_error();
  return points;
}

nb::object from_points(const std::u32string& points) {
  nb::object text = nb::steal(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, points.data(), points.size()));
  if (!text.is_valid()) throw nb::python_error();
  return text;
}

// Stems a word whose letters may need more than one byte: each foreign letter is lent a byte of its own.
std::u32string stem(const std::u32string& word) {
  std::u32string foreign;
  std::string bytes;
  for (char32_t c : word) {
    size_t number = c < 128 ? 0 : foreign.find(c);
    if (number == std::u32string::npos) number = foreign.size(), foreign += c;
    if (number >= 128) return word;  // no alphabet has so many letters in a word
    bytes += static_cast<char>(c < 128 ? c : 128 + number);
  }
  std::u32string out;
  for (unsigned char c : porter_stem(std::move(bytes))) out += c < 128 ? c : foreign[c - 128];
  return out;
}

// Applies a measure to the pairs (left[i], right[i]) of two tokenised lists.
template <class Measure>
auto pairwise(const Hashes& a, const Offsets& a_offsets, const Hashes& b, const Offsets& b_offsets,
              const Offsets& left, const Offsets& right, Measure&& measure) {
  std::vector<int64_t> out(left.size());
  {
    nb::gil_scoped_release unlocked;
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = measure(slice(a, a_offsets, left.data()[i]), slice(b, b_offsets, right.data()[i]));
  }
  return to_numpy(std::move(out));
}

Table table(const Hashes& slots, const Offsets& starts) { return {slots.data(), starts.data(), starts.size()}; }

nb::object decode(const std::string& bytes) {
  nb::object text = nb::steal(PyUnicode_DecodeUTF8(bytes.data(), bytes.size(), "surrogatepass"));
  if (!text.is_valid()) throw nb::python_error();
  return text;
}

}  // namespace

NB_MODULE(_native, m) {
  nb::set_leak_warnings(false);  // a model that lives as long as the program is no leak

  m.def("tokenize", [](nb::list texts, int mode, bool lowercase) {
    Texts input(texts, lowercase);
    std::pair<std::vector<uint64_t>, std::vector<int64_t>> out;
    {
      nb::gil_scoped_release unlocked;
      out = tokenize(input, static_cast<Tokenizer>(mode), lowercase);
    }
    return std::make_pair(to_numpy(std::move(out.first)), to_numpy(std::move(out.second)));
  });

  m.def("words", [](nb::list texts, int mode, bool lowercase) {
    Texts input(texts, lowercase);
    nb::list out;
    for (const auto& tokens : words(input, static_cast<Tokenizer>(mode), lowercase)) {
      nb::list row;
      for (const std::string& token : tokens) row.append(decode(token));
      out.append(row);
    }
    return out;
  });

  m.def("stem", [](nb::str word) { return from_points(stem(to_points(word))); });

  m.def("treebank", [](nb::list sentences) {
    std::vector<std::u32string> texts;
    texts.reserve(sentences.size());
    for (nb::handle sentence : sentences) {
      if (!PyUnicode_Check(sentence.ptr())) throw nb::type_error("expected a list of str");
      texts.push_back(to_points(sentence));
    }
    {
      nb::gil_scoped_release unlocked;
      for (auto& text : texts) text = treebank(text);
    }
    nb::list out;
    for (const auto& text : texts) out.append(from_points(text));
    return out;
  });

  m.def("ngrams", [](Hashes tokens, Offsets texts, Offsets groups, int order, bool peak) {
    Grams out;
    {
      nb::gil_scoped_release unlocked;
      out = ngrams(tokens.data(), texts.data(), groups.data(), groups.size() - 1, order, peak);
    }
    return std::make_tuple(to_numpy(std::move(out.keys)), to_numpy(std::move(out.counts)),
                           to_numpy(std::move(out.offsets)));
  });

  m.def("overlap", [](Hashes a_keys, Counts a_counts, Offsets a_offsets, Hashes b_keys, Counts b_counts,
                      Offsets b_offsets, Offsets left, Offsets right, int order) {
    std::vector<double> out;
    {
      nb::gil_scoped_release unlocked;
      out = overlap(view(a_keys, a_counts, a_offsets), view(b_keys, b_counts, b_offsets), left.data(), right.data(),
                    left.size(), order);
    }
    return to_numpy(std::move(out), {left.size(), static_cast<size_t>(order)});
  });

  m.def("sari", [](Hashes s_keys, Counts s_counts, Offsets s_offsets, Hashes o_keys, Counts o_counts,
                   Offsets o_offsets, Hashes r_keys, Counts r_counts, Offsets r_offsets, Offsets n_references,
                   int order, nb::object tokens) {
    SariTokens extra{};
    std::tuple<Hashes, Offsets, Hashes, Offsets, Hashes, Offsets> held;
    bool modified = !tokens.is_none();
    if (modified) {
      held = nb::cast<decltype(held)>(tokens);
      extra = {std::get<0>(held).data(), std::get<2>(held).data(), std::get<4>(held).data(),
               std::get<1>(held).data(), std::get<3>(held).data(), std::get<5>(held).data()};
    }
    std::vector<double> out;
    {
      nb::gil_scoped_release unlocked;
      out = sari(view(s_keys, s_counts, s_offsets), view(o_keys, o_counts, o_offsets),
                 view(r_keys, r_counts, r_offsets), n_references.data(), n_references.size(), order,
                 modified ? &extra : nullptr);
    }
    return to_numpy(std::move(out), {n_references.size(), static_cast<size_t>(order), kSariColumns});
  }, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
     nb::arg(), nb::arg().none());

  // A number for each pair of texts: the length of the longest common subsequence, the edit distance, or the edits
  // with shifts.
  m.def("measure", [](int kind, Hashes a, Offsets ao, Hashes b, Offsets bo, Offsets left, Offsets right) {
    constexpr int64_t (*measures[])(Sequence, Sequence) = {lcs_length, edit_distance, translation_edits};
    return pairwise(a, ao, b, bo, left, right, measures[kind]);
  });

  m.def("meteor", [](Offsets a, Offsets ao, Offsets b, Offsets bo, Offsets left, Offsets right, Offsets stems,
                     Offsets synonym_offsets, Offsets synonyms) {
    std::vector<int64_t> out;
    out.reserve(2 * left.size());
    {
      nb::gil_scoped_release unlocked;
      Lexicon lexicon{stems.data(), synonym_offsets.data(), synonyms.data()};
      auto words = [](const Offsets& types, const Offsets& offsets, int64_t i) {
        return Words(types.data() + offsets.data()[i], types.data() + offsets.data()[i + 1]);
      };
      for (size_t i = 0; i < left.size(); ++i) {
        Alignment found = align(words(a, ao, left.data()[i]), words(b, bo, right.data()[i]), lexicon);
        out.insert(out.end(), {found.matches, found.chunks});
      }
    }
    return to_numpy(std::move(out), {left.size(), 2});
  });

  // Spearman's rho (0) or Kendall's tau-b (1) of rows that count as often as each row of weights says.
  m.def("rank_correlation", [](int kind, Offsets x, Offsets y, In<double> weights) {
    size_t rows = x.size();
    std::vector<double> out(rows ? weights.size() / rows : 0);
    {
      nb::gil_scoped_release unlocked;
      RankedRows ranked({x.data(), rows}, {y.data(), rows});
      for (size_t i = 0; i < out.size(); ++i) {
        const double* row = weights.data() + i * rows;
        out[i] = kind ? ranked.kendall(row) : ranked.spearman(row);
      }
    }
    return to_numpy(std::move(out));
  });

  // Partners of the tokens of a[left[i]] in b[right[i]], one pair after the other.
  m.def("lcs_match", [](Hashes a, Offsets ao, Hashes b, Offsets bo, Offsets left, Offsets right) {
    size_t total = 0;
    for (size_t i = 0; i < left.size(); ++i) total += slice(a, ao, left.data()[i]).size();
    std::vector<int32_t> out(total);
    {
      nb::gil_scoped_release unlocked;
      size_t at = 0;
      for (size_t i = 0; i < left.size(); ++i) {
        Sequence from = slice(a, ao, left.data()[i]);
        lcs_match(from, slice(b, bo, right.data()[i]), out.data() + at);
        at += from.size();
      }
    }
    return to_numpy(std::move(out));
  });

  // What became of the tokens of a[left[i]] and b[right[i]], and their partners, one pair after the other.
  m.def("operations", [](Hashes a, Offsets ao, Hashes b, Offsets bo, Offsets left, Offsets right, Hashes marks) {
    size_t a_total = 0, b_total = 0;
    for (size_t i = 0; i < left.size(); ++i) a_total += slice(a, ao, left.data()[i]).size();
    for (size_t i = 0; i < right.size(); ++i) b_total += slice(b, bo, right.data()[i]).size();
    std::vector<uint8_t> a_out(a_total), b_out(b_total);
    std::vector<int32_t> a_partner(a_total), b_partner(b_total);
    {
      nb::gil_scoped_release unlocked;
      std::unordered_set<uint64_t> known(marks.data(), marks.data() + marks.size());
      size_t a_at = 0, b_at = 0;
      for (size_t i = 0; i < left.size(); ++i) {
        Sequence from = slice(a, ao, left.data()[i]), to = slice(b, bo, right.data()[i]);
        compare(from, to, known,
                {reinterpret_cast<Operation*>(a_out.data()) + a_at, reinterpret_cast<Operation*>(b_out.data()) + b_at,
                 a_partner.data() + a_at, b_partner.data() + b_at});
        a_at += from.size();
        b_at += to.size();
      }
    }
    return std::make_tuple(to_numpy(std::move(a_out)), to_numpy(std::move(b_out)), to_numpy(std::move(a_partner)),
                           to_numpy(std::move(b_partner)));
  });

  // A row of counts per text, and the words that the table of syllables lacks.
  m.def("count_words", [](nb::list texts, int rule, Hashes syllables, Offsets syllable_starts, Hashes familiar,
                          Offsets familiar_starts) {
    auto how = static_cast<CountRule>(rule);
    Texts input(texts, false), lowered(texts, how == CountRule::textstat);
    std::vector<std::string> unknown;
    std::vector<int64_t> out;
    {
      nb::gil_scoped_release unlocked;
      out = count_words(input, lowered, how, table(syllables, syllable_starts), table(familiar, familiar_starts), unknown);
    }
    nb::list missing;
    for (const std::string& word : unknown) missing.append(decode(word));
    return std::make_pair(to_numpy(std::move(out), {input.pieces.size(), kCountColumns}), missing);
  });

  m.def("syllables", [](nb::list words, Hashes slots, Offsets starts) {
    return to_numpy(spelled_syllables(Texts(words, false), table(slots, starts)));
  });

  m.def("best_extract", [](Hashes tokens, Offsets sentences, Hashes target, size_t limit, size_t beam) {
    std::vector<Sequence> parts;
    for (size_t i = 0; i + 1 < sentences.size(); ++i) parts.push_back(slice(tokens, sentences, i));
    Extract found;
    {
      nb::gil_scoped_release unlocked;
      found = best_extract(parts, {target.data(), target.size()}, limit, beam);
    }
    return std::make_pair(to_numpy(std::move(found.chosen)), found.exact);
  });

  // Charts over the words of a sentence: the probability of each span, and the spans of the best tree.
  m.def("span_marginals", [](In<double> scores, size_t n, size_t states, size_t root, In<int64_t> joins) {
    std::vector<double> out;
    Grammar grammar{states, root, {joins.data(), joins.data() + joins.size()}};
    {
      nb::gil_scoped_release unlocked;
      out = span_marginals(scores.data(), n, grammar);
    }
    return to_numpy(std::move(out), {n, n, states, states});
  });

  m.def("best_tree", [](In<double> scores, size_t n, size_t states, size_t root, In<int64_t> joins) {
    std::vector<int64_t> out;
    Grammar grammar{states, root, {joins.data(), joins.data() + joins.size()}};
    {
      nb::gil_scoped_release unlocked;
      out = best_tree(scores.data(), n, grammar);
    }
    size_t spans = out.size() / 4;
    return to_numpy(std::move(out), {spans, 4});
  });

  add_language_model(m);
  add_lattice(m);
  add_scfg(m);
}
