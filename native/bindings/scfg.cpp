// Decoding with synchronous grammars.
#include "decode/scfg.hpp"

#include <nanobind/stl/tuple.h>

#include "bindings/checks.hpp"

namespace plainmark {

namespace {

constexpr int64_t kMost = 1 << 30, kMostCells = 1 << 25;

// Pieces that together cover an array.
void check_pieces(const Offsets& offsets, size_t size) {
  check(are_offsets(all(offsets), size) && offsets.data()[0] == 0 &&
            all(offsets).back() == static_cast<int64_t>(size),
        "offsets do not fit the words");
}

void check_task(const Grammar& grammar, bool has_model, const In<uint32_t>& lm_words, const Scores& rule_scores,
                const Symbols& words, const Offsets& sentences, const Scores& copy_scores, const Symbols& copy_labels,
                const Offsets& label_offsets) {
  check(rule_scores.size() == grammar.rules(), "expected one score for each rule");
  check(copy_scores.size() == words.size(), "expected one copy score for each word");
  check(label_offsets.size() == words.size() + 1, "offsets do not fit the words");
  check_pieces(sentences, words.size());
  check_pieces(label_offsets, copy_labels.size());
  for (int32_t label : all(copy_labels)) check(label >= 0 && label < grammar.labels(), "a label that does not exist");
  check(!has_model || lm_words.size() >= static_cast<size_t>(grammar.words()),
        "expected the language model's number of each word");
  for (int32_t word : all(words))
    check(word >= 0 && (!has_model || static_cast<size_t>(word) < lm_words.size()), "a word that does not exist");
  check_bounded(rule_scores, "scores of rules");
  check_bounded(copy_scores, "copy scores");
  // A word without a label could not be left unchanged, and there might be no output at all.
  for (size_t i = 0; i < words.size(); ++i)
    check(label_offsets.data()[i] < label_offsets.data()[i + 1], "a word without a label");
}

}  // namespace

void add_scfg(nb::module_& m) {
  nb::class_<Grammar>(m, "Grammar")
      .def("__init__",
           [](Grammar* self, Symbols lhs, Symbols sources, Offsets source_offsets, Symbols targets,
              Offsets target_offsets, int32_t words, int32_t labels) {
             nb::gil_scoped_release unlocked;
             new (self) Grammar(all(lhs), all(sources), all(source_offsets), all(targets), all(target_offsets), words,
                                labels);
           })
      .def("__len__", &Grammar::rules);

  m.def("decode_scfg",
        [](const Grammar& grammar, const LanguageModel* model, In<uint32_t> lm_words, Scores rule_scores,
           Symbols words, Offsets sentences, Scores copy_scores, Symbols copy_labels, Offsets label_offsets,
           double lm_weight, double glue, int64_t span_limit, int64_t pop_limit, int64_t unary_limit,
           int64_t nbest, bool unique) {
          check_task(grammar, model != nullptr, lm_words, rule_scores, words, sentences, copy_scores, copy_labels,
                     label_offsets);
          check_weight(lm_weight, "the language model's weight");
          check_weight(glue, "the glue weight");
          check_range(span_limit, 0, kMost, "the span limit");
          check_range(pop_limit, 0, kMost, "the pop limit");
          check_range(unary_limit, 0, kMost, "the unary limit");
          check_range(nbest, 1, kMost, "the number of outputs");
          for (size_t s = 0; s + 1 < sentences.size(); ++s) {
            int64_t length = sentences.data()[s + 1] - sentences.data()[s];
            check(length <= kMost && length * (span_limit ? std::min(span_limit, length) : length) <= kMostCells,
                  "a sentence that is too long for the span limit");
          }
          NBest out;
          {
            nb::gil_scoped_release unlocked;
            DecodeOptions options{lm_weight,
                                  glue,
                                  static_cast<int>(span_limit),
                                  static_cast<int>(pop_limit),
                                  static_cast<int>(unary_limit),
                                  static_cast<size_t>(nbest),
                                  unique};
            std::vector<Source> sources;
            for (size_t s = 0; s + 1 < sentences.size(); ++s) {
              size_t from = sentences.data()[s], size = sentences.data()[s + 1] - from;
              sources.push_back({all(words).subspan(from, size), all(copy_scores).subspan(from, size), all(copy_labels),
                                 all(label_offsets).subspan(from, size + 1)});
            }
            decode(grammar, model, all(lm_words), all(rule_scores), sources, options, out);
          }
          return std::make_tuple(to_numpy(std::move(out.sentences)), to_numpy(std::move(out.scores)),
                                 to_numpy(std::move(out.lm)), to_numpy(std::move(out.glues)),
                                 to_numpy(std::move(out.copies)), to_numpy(std::move(out.words)),
                                 to_numpy(std::move(out.word_offsets)), to_numpy(std::move(out.rules)),
                                 to_numpy(std::move(out.rule_offsets)), to_numpy(std::move(out.word_places)),
                                 to_numpy(std::move(out.rule_spans)));
        },
        nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg());
}

}  // namespace plainmark
