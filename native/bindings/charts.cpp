// Charts over the words of a sentence: a vector for each span, the probability of each, and the spans of the best tree.
#include "bindings/checks.hpp"
#include "decode/chart.hpp"
#include "decode/span_vectors.hpp"

namespace plainmark {

namespace {

constexpr int64_t kMostWords = 1 << 16, kMostStates = 1 << 10, kMostNumbers = 1 << 16;

using Vectors = In<float>;

TreeGrammar checked(const Scores& scores, int64_t n, int64_t states, int64_t root, const Offsets& joins) {
  check_range(n, 0, kMostWords, "the number of words");
  check_range(states, 1, kMostStates, "the number of states");
  check_length(scores.size(), static_cast<size_t>(n * n * states * states), "scores");
  check_range(root, 0, states - 1, "the root");
  check(joins.size() % 3 == 0, "joins are no triples of states");
  check_indices(joins, static_cast<size_t>(states), "joins");
  return {static_cast<size_t>(states), static_cast<size_t>(root), {joins.data(), joins.data() + joins.size()}};
}

}  // namespace

void add_charts(nb::module_& m) {
  m.def("span_marginals", [](Scores scores, int64_t n, int64_t states, int64_t root, Offsets joins) {
    TreeGrammar grammar = checked(scores, n, states, root, joins);
    std::vector<double> out;
    {
      nb::gil_scoped_release unlocked;
      out = span_marginals(scores.data(), static_cast<size_t>(n), grammar);
    }
    auto words = static_cast<size_t>(n);
    return to_numpy(std::move(out), {words, words, grammar.states, grammar.states});
  });

  m.def("best_tree", [](Scores scores, int64_t n, int64_t states, int64_t root, Offsets joins) {
    TreeGrammar grammar = checked(scores, n, states, root, joins);
    std::vector<int64_t> out;
    {
      nb::gil_scoped_release unlocked;
      out = best_tree(scores.data(), static_cast<size_t>(n), grammar);
    }
    size_t spans = out.size() / 4;
    return to_numpy(std::move(out), {spans, 4});
  });

  m.def("span_vectors", [](Vectors first, Vectors last, Vectors total, Vectors width, Vectors scale, Vectors shift,
                           int64_t n) {
    check_range(n, 0, kMostWords, "the number of words");
    check_range(static_cast<int64_t>(scale.size()), 1, kMostNumbers, "the size of a vector");
    auto words = static_cast<size_t>(n);
    size_t size = scale.size();
    check_length(shift.size(), size, "shift");
    check_length(first.size(), words * size, "first");
    check_length(last.size(), words * size, "last");
    check_length(width.size(), words * size, "width");
    check_length(total.size(), (words + 1) * size, "total");
    std::vector<float> out;
    {
      nb::gil_scoped_release unlocked;
      out = span_vectors({first.data(), last.data(), total.data(), width.data(), scale.data(), shift.data()}, words,
                         size);
    }
    return to_numpy(std::move(out), {words * (words + 1) / 2, size});
  });
}

}  // namespace plainmark
