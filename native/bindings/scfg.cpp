// The door from Python to decoding with synchronous grammars.
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "decode/scfg.hpp"

using namespace plainmark;

namespace {

using Symbols = In<int32_t>;

template <class T>
std::span<const T> all(const In<T>& array) {
  return {array.data(), array.size()};
}

// Whether offsets begin at 0, never fall and end at the size of what they are for.
bool fit(const Offsets& offsets, size_t size) {
  auto values = all(offsets);
  return !values.empty() && values.front() == 0 && values.back() == static_cast<int64_t>(size) &&
         std::is_sorted(values.begin(), values.end());
}

void check(const Grammar& grammar, bool has_model, const In<uint32_t>& lm_words, const In<double>& rule_scores,
           const Symbols& words, const Offsets& sentences, const In<double>& copy_scores, const Symbols& copy_labels,
           const Offsets& label_offsets) {
  if (rule_scores.size() != grammar.rules()) throw std::invalid_argument("expected one score for each rule");
  if (copy_scores.size() != words.size()) throw std::invalid_argument("expected one copy score for each word");
  if (!fit(sentences, words.size()) || label_offsets.size() != words.size() + 1 || !fit(label_offsets, copy_labels.size()))
    throw std::invalid_argument("offsets do not fit the words");
  for (int32_t label : all(copy_labels))
    if (label < 0 || label >= grammar.labels()) throw std::invalid_argument("a label that does not exist");
  if (has_model && lm_words.size() < static_cast<size_t>(grammar.words()))
    throw std::invalid_argument("expected the language model's number of each word");
  for (int32_t word : all(words))
    if (word < 0 || (has_model && static_cast<size_t>(word) >= lm_words.size()))
      throw std::invalid_argument("a word that does not exist");
  auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(all(rule_scores), finite) || !std::ranges::all_of(all(copy_scores), finite))
    throw std::invalid_argument("a score that is not finite");
  // A word without a label could not be left as it is, and there might be no output at all.
  for (size_t i = 0; i < words.size(); ++i)
    if (label_offsets.data()[i] == label_offsets.data()[i + 1]) throw std::invalid_argument("a word without a label");
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
        [](const Grammar& grammar, const LanguageModel* model, In<uint32_t> lm_words, In<double> rule_scores,
           Symbols words, Offsets sentences, In<double> copy_scores, Symbols copy_labels, Offsets label_offsets,
           double lm_weight, double glue, int span_limit, int pop_limit, int unary_limit, int64_t nbest, bool unique) {
          check(grammar, model != nullptr, lm_words, rule_scores, words, sentences, copy_scores, copy_labels,
                label_offsets);
          if (!std::isfinite(lm_weight) || !std::isfinite(glue)) throw std::invalid_argument("a weight that is not finite");
          NBest out;
          {
            nb::gil_scoped_release unlocked;
            DecodeOptions options{lm_weight,   glue, span_limit, pop_limit, unary_limit,
                                  static_cast<size_t>(std::max<int64_t>(nbest, 1)), unique};
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
