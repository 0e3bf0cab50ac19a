// Rank correlations.
#include "bindings/checks.hpp"
#include "stats/ranks.hpp"

namespace plainmark {

void add_statistics(nb::module_& m) {
  // Spearman's rho (0) or Kendall's tau-b (1) of rows weighted by each row of weights.
  m.def("rank_correlation", [](int kind, Offsets x, Offsets y, Scores weights) {
    check_range(kind, 0, 1, "the number of a coefficient");
    size_t rows = x.size();
    check_length(y.size(), rows, "y");
    check_indices(x, rows, "x");
    check_indices(y, rows, "y");
    check(rows ? weights.size() % rows == 0 : weights.size() == 0, "weights are no whole number of rows");
    std::vector<double> out(rows ? weights.size() / rows : 0);
    {
      nb::gil_scoped_release unlocked;
      RankedRows ranked(all(x), all(y));
      for (size_t i = 0; i < out.size(); ++i) {
        const double* row = weights.data() + i * rows;
        out[i] = kind ? ranked.kendall(row) : ranked.spearman(row);
      }
    }
    return to_numpy(std::move(out));
  });
}

}  // namespace plainmark
