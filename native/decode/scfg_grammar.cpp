// The trie of a grammar's sources.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "decode/scfg.hpp"

namespace plainmark {

Grammar::Grammar(std::span<const std::int32_t> lhs, std::span<const std::int32_t> sources,
                 std::span<const std::int64_t> source_offsets, std::span<const std::int32_t> targets,
                 std::span<const std::int64_t> target_offsets, std::int32_t words, std::int32_t labels)
    : words_(words),
      labels_(labels),
      lhs_(lhs.begin(), lhs.end()),
      targets_(targets.begin(), targets.end()),
      target_offsets_(target_offsets.begin(), target_offsets.end()) {
  std::size_t n = lhs.size();
  auto fits = [n](std::span<const std::int64_t> offsets, std::size_t size) {
    if (offsets.size() != n + 1 || offsets[0] != 0 || offsets[n] != static_cast<std::int64_t>(size)) return false;
    return std::is_sorted(offsets.begin(), offsets.end());
  };
  if (!fits(source_offsets, sources.size()) || !fits(target_offsets, targets.size()))
    throw std::invalid_argument("offsets do not fit the rules");
  if (words < 0 || labels < 0) throw std::invalid_argument("fewer than no words or labels");
  std::vector<std::int32_t> node_of(n);
  std::vector<std::array<std::int32_t, 3>> by_label;  // node, label, next node
  std::int32_t nodes = 1;
  goes_on_.push_back(false);
  for (std::size_t r = 0; r < n; ++r) {
    if (lhs[r] < 0 || lhs[r] >= labels) throw std::invalid_argument("a rule has a label that does not exist");
    std::int32_t node = ROOT;
    int nonterminals = 0;
    if (source_offsets[r] == source_offsets[r + 1]) throw std::invalid_argument("a rule has an empty source");
    for (std::int64_t i = source_offsets[r]; i < source_offsets[r + 1]; ++i) {
      std::int64_t symbol = sources[i];
      bool is_label = symbol < 0;
      if (is_label) symbol = -1 - symbol, ++nonterminals;
      if (symbol >= (is_label ? labels : words)) throw std::invalid_argument("a rule has a symbol that does not exist");
      auto key = static_cast<std::uint64_t>(node) << 32 | (2u * static_cast<std::uint32_t>(symbol) + is_label);
      auto [next, is_new] = steps_.try_emplace(key, nodes);
      if (is_new && is_label) by_label.push_back({node, static_cast<std::int32_t>(symbol), nodes});
      goes_on_[node] = true;
      if (is_new) goes_on_.push_back(false), ++nodes;
      node = next->second;
    }
    if (nonterminals > MAX_NONTERMINALS) throw std::invalid_argument("a rule has more than 6 nonterminals");
    node_of[r] = node;
    std::array<int, MAX_NONTERMINALS> used{};
    int seen = 0;
    for (std::int32_t symbol : target(static_cast<std::int32_t>(r))) {
      if (symbol >= words || (symbol < 0 && -1 - symbol >= nonterminals))
        throw std::invalid_argument("a rule has a symbol that does not exist");
      if (symbol < 0) seen += used[-1 - symbol]++ == 0 ? 1 : MAX_NONTERMINALS + 1;
    }
    if (seen != nonterminals) throw std::invalid_argument("nonterminals of source and target are not the same ones");
  }
  std::sort(by_label.begin(), by_label.end());
  first_step_.assign(nodes + 1, 0);
  for (const auto& [from, label, to] : by_label) {
    ++first_step_[from + 1];
    label_steps_.push_back({label, to});
  }
  for (std::size_t i = 1; i < first_step_.size(); ++i) first_step_[i] += first_step_[i - 1];
  first_.assign(nodes + 1, 0);
  for (std::int32_t node : node_of) ++first_[node + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  order_.resize(n);
  std::vector<std::int32_t> free(first_.begin(), first_.end() - 1);
  for (std::size_t r = 0; r < n; ++r) order_[free[node_of[r]]++] = static_cast<std::int32_t>(r);
}

}  // namespace plainmark
