// Comparing token sequences.
#include "ngram/sequences.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bindings/checks.hpp"
#include "ngram/extract.hpp"
#include "ngram/meteor.hpp"

namespace plainmark {

namespace {

constexpr int64_t kLongestExactSearch = 64, kWidestBeam = 1'000'000;

}  // namespace

void add_sequences(nb::module_& m) {
  // One number for each pair of texts: the length of the longest common subsequence, the edit distance, or the edits
  // with shifts.
  m.def("measure", [](int kind, Hashes a, Offsets a_offsets, Hashes b, Offsets b_offsets, Offsets left, Offsets right) {
    constexpr int64_t (*measures[])(Sequence, Sequence) = {lcs_length, edit_distance, translation_edits};
    check_range(kind, 0, 2, "the number of a measure");
    TokenPairs<uint64_t> pairs{a, b, a_offsets, b_offsets, left, right};
    pairs.check();
    std::vector<int64_t> out(pairs.size());
    {
      nb::gil_scoped_release unlocked;
      for (size_t i = 0; i < out.size(); ++i) out[i] = measures[kind](pairs.from(i), pairs.to(i));
    }
    return to_numpy(std::move(out));
  });

  m.def("meteor", [](Offsets a, Offsets a_offsets, Offsets b, Offsets b_offsets, Offsets left, Offsets right,
                     Offsets stems, Offsets synonym_offsets, Offsets synonyms) {
    TokenPairs<int64_t> pairs{a, b, a_offsets, b_offsets, left, right};
    pairs.check();
    check_indices(a, stems.size(), "the left texts");
    check_indices(b, stems.size(), "the right texts");
    check_offsets(synonym_offsets, synonyms.size(), "offsets of synonyms");
    check_indices(stems, synonym_offsets.size() - 1, "stems");
    std::vector<int64_t> out;
    out.reserve(2 * pairs.size());
    {
      nb::gil_scoped_release unlocked;
      Lexicon lexicon{stems.data(), synonym_offsets.data(), synonyms.data()};
      for (size_t i = 0; i < pairs.size(); ++i) {
        Alignment alignment = align(pairs.from(i), pairs.to(i), lexicon);
        out.insert(out.end(), {alignment.matches, alignment.chunks});
      }
    }
    return to_numpy(std::move(out), {pairs.size(), 2});
  });

  // Partners of the tokens of a[left[i]] in b[right[i]], pair by pair.
  m.def("lcs_match", [](Hashes a, Offsets a_offsets, Hashes b, Offsets b_offsets, Offsets left, Offsets right) {
    TokenPairs<uint64_t> pairs{a, b, a_offsets, b_offsets, left, right};
    pairs.check();
    size_t total = 0;
    for (size_t i = 0; i < pairs.size(); ++i) total += pairs.from(i).size();
    std::vector<int32_t> out(total);
    {
      nb::gil_scoped_release unlocked;
      size_t at = 0;
      for (size_t i = 0; i < pairs.size(); ++i) {
        lcs_match(pairs.from(i), pairs.to(i), out.data() + at);
        at += pairs.from(i).size();
      }
    }
    return to_numpy(std::move(out));
  });

  // The operations on the tokens of a[left[i]] and b[right[i]], and their partners, pair by pair.
  m.def("operations", [](Hashes a, Offsets a_offsets, Hashes b, Offsets b_offsets, Offsets left, Offsets right,
                         Hashes marks) {
    TokenPairs<uint64_t> pairs{a, b, a_offsets, b_offsets, left, right};
    pairs.check();
    size_t a_total = 0, b_total = 0;
    for (size_t i = 0; i < pairs.size(); ++i) a_total += pairs.from(i).size(), b_total += pairs.to(i).size();
    std::vector<uint8_t> a_out(a_total), b_out(b_total);
    std::vector<int32_t> a_partner(a_total), b_partner(b_total);
    {
      nb::gil_scoped_release unlocked;
      std::unordered_set<uint64_t> known(marks.data(), marks.data() + marks.size());
      size_t a_at = 0, b_at = 0;
      for (size_t i = 0; i < pairs.size(); ++i) {
        compare(pairs.from(i), pairs.to(i), known,
                {reinterpret_cast<Operation*>(a_out.data()) + a_at, reinterpret_cast<Operation*>(b_out.data()) + b_at,
                 a_partner.data() + a_at, b_partner.data() + b_at});
        a_at += pairs.from(i).size();
        b_at += pairs.to(i).size();
      }
    }
    return std::make_tuple(to_numpy(std::move(a_out)), to_numpy(std::move(b_out)), to_numpy(std::move(a_partner)),
                           to_numpy(std::move(b_partner)));
  });

  m.def("best_extract", [](Hashes tokens, Offsets sentences, Hashes target, int64_t limit, int64_t beam) {
    check_range(limit, 0, kLongestExactSearch, "the limit of the exact search");
    check_range(beam, 1, kWidestBeam, "the beam");
    check_offsets(sentences, tokens.size(), "offsets of sentences");
    std::vector<Sequence> parts;
    for (size_t i = 0; i + 1 < sentences.size(); ++i) parts.push_back(TokenPairs<uint64_t>::text(tokens, sentences, i));
    Extract extract;
    {
      nb::gil_scoped_release unlocked;
      extract = best_extract(parts, all(target), static_cast<size_t>(limit), static_cast<size_t>(beam));
    }
    return std::make_pair(to_numpy(std::move(extract.sentences)), extract.exact);
  });
}

}  // namespace plainmark
