#include "ngram/meteor.hpp"

#include <unordered_map>
#include <vector>

namespace plainmark {

namespace {

// Free positions in the reference, by word, the last one on top.
class Free {
 public:
  void add(int64_t key, int64_t position) { positions_[key].push_back(position); }
  int64_t last(int64_t key) const {
    auto it = positions_.find(key);
    return it == positions_.end() || it->second.empty() ? -1 : it->second.back();
  }
  int64_t take(int64_t key) {
    int64_t position = last(key);
    if (position >= 0) positions_[key].pop_back();
    return position;
  }
  template <class Visit>
  void each(Visit&& visit) const {
    for (const auto& [key, positions] : positions_)
      for (int64_t position : positions) visit(position);
  }

 private:
  std::unordered_map<int64_t, std::vector<int64_t>> positions_;
};

}  // namespace

Alignment align(Words output, Words reference, const Lexicon& lexicon) {
  std::vector<int64_t> partner(output.size(), -1);
  Free words, stems;
  for (size_t j = 0; j < reference.size(); ++j) words.add(reference[j], static_cast<int64_t>(j));
  for (size_t i = output.size(); i-- > 0;) partner[i] = words.take(output[i]);

  std::vector<bool> left(reference.size(), false);
  words.each([&](int64_t position) { left[position] = true; });
  for (size_t j = 0; j < reference.size(); ++j)
    if (left[j]) stems.add(lexicon.stems[reference[j]], static_cast<int64_t>(j));
  for (size_t i = output.size(); i-- > 0;)
    if (partner[i] < 0) partner[i] = stems.take(lexicon.stems[output[i]]);

  for (size_t i = output.size(); i-- > 0;) {
    if (partner[i] >= 0) continue;
    int64_t stem = lexicon.stems[output[i]], best = -1, best_stem = -1;
    for (int64_t k = lexicon.synonym_offsets[stem]; k < lexicon.synonym_offsets[stem + 1]; ++k) {
      int64_t position = stems.last(lexicon.synonyms[k]);
      if (position > best) best = position, best_stem = lexicon.synonyms[k];
    }
    if (best >= 0) partner[i] = stems.take(best_stem);
  }

  Alignment found{0, 0};
  for (size_t i = 0; i < partner.size(); ++i) {
    if (partner[i] < 0) continue;
    ++found.matches;
    bool runs_along = i > 0 && partner[i - 1] >= 0 && partner[i] == partner[i - 1] + 1;
    found.chunks += !runs_along;
  }
  return found;
}

}  // namespace plainmark
