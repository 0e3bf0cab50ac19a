// Charts over the words of a sentence: the probability of each span, and the spans of the best tree.
#include "bindings/checks.hpp"
#include "decode/chart.hpp"

namespace plainmark {

namespace {

constexpr int64_t kMostWords = 1 << 16, kMostStates = 1 << 10;

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
}

}  // namespace plainmark
