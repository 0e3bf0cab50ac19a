#include "ngram/ngrams.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "text/hash.hpp"

namespace plainmark {

namespace {

// Open addressing, cleared by increasing the stamp: one table serves every sample.
template <class Value>
class Scratch {
 public:
  void start(size_t expected) {
    size_t capacity = 64;
    while (capacity < 2 * expected) capacity *= 2;
    if (capacity > slots_.size()) {
      slots_.assign(capacity, {});
      stamp_ = 0;
    }
    // A small sample uses only the head of the table, which stays in the cache.
    mask_ = capacity - 1;
    ++stamp_;
    used_.clear();
  }

  Value& insert(uint64_t key) {
    size_t i = key & mask_;
    for (;; i = (i + 1) & mask_) {
      Slot& slot = slots_[i];
      if (slot.stamp != stamp_) {
        slot = {key, stamp_, {}};
        used_.push_back(static_cast<uint32_t>(i));
        return slot.value;
      }
      if (slot.key == key) return slot.value;
    }
  }

  Value* find(uint64_t key) {
    for (size_t i = key & mask_;; i = (i + 1) & mask_) {
      Slot& slot = slots_[i];
      if (slot.stamp != stamp_) return nullptr;
      if (slot.key == key) return &slot.value;
    }
  }

  template <class Visit>
  void each(Visit&& visit) {
    for (uint32_t i : used_) visit(slots_[i].key, slots_[i].value);
  }

  size_t size() const { return used_.size(); }

 private:
  struct Slot {
    uint64_t key;
    uint64_t stamp;
    Value value;
  };
  std::vector<Slot> slots_;
  std::vector<uint32_t> used_;
  uint64_t stamp_ = 0;
  size_t mask_ = 0;
};

struct Sum {
  uint32_t count = 0;
  void add(int64_t) { ++count; }
};

struct Peak {
  uint32_t count = 0, here = 0;
  int64_t text = -1;
  void add(int64_t in_text) {
    if (text != in_text) here = 0, text = in_text;
    count = std::max(count, ++here);
  }
};

struct Texts {
  uint32_t count = 0;
  int64_t text = -1;
  void add(int64_t in_text) {
    if (text != in_text) ++count, text = in_text;
  }
};

template <class Tally>
Grams tally_ngrams(const uint64_t* tokens, const int64_t* texts, const int64_t* groups, int64_t n_groups, int order) {
  Grams out;
  out.offsets.reserve(n_groups * order + 1);
  out.offsets.push_back(0);
  int64_t total = texts[groups[n_groups]] - texts[groups[0]];
  out.keys.reserve(total * order / 2);
  out.counts.reserve(total * order / 2);
  Scratch<Tally> scratch;
  std::vector<uint64_t> prefix;
  for (int64_t g = 0; g < n_groups; ++g) {
    int64_t first = texts[groups[g]], last = texts[groups[g + 1]];
    prefix.assign(tokens + first, tokens + last);
    for (int n = 1; n <= order; ++n) {
      scratch.start(last - first);
      for (int64_t t = groups[g]; t < groups[g + 1]; ++t) {
        int64_t begin = texts[t], end = texts[t + 1] - n + 1;
        for (int64_t i = begin; i < end; ++i) {
          uint64_t& key = prefix[i - first];
          if (n > 1) key = extend_hash(key, tokens[i + n - 1]);
          scratch.insert(key).add(t);
        }
      }
      scratch.each([&](uint64_t key, const Tally& tally) {
        out.keys.push_back(key);
        out.counts.push_back(tally.count);
      });
      out.offsets.push_back(static_cast<int64_t>(out.keys.size()));
    }
  }
  return out;
}

}  // namespace

Grams ngrams(const uint64_t* tokens, const int64_t* texts, const int64_t* groups, int64_t n_groups, int order,
             Counting counting) {
  switch (counting) {
    case Counting::kPeak:
      return tally_ngrams<Peak>(tokens, texts, groups, n_groups, order);
    case Counting::kTexts:
      return tally_ngrams<Texts>(tokens, texts, groups, n_groups, order);
    default:
      return tally_ngrams<Sum>(tokens, texts, groups, n_groups, order);
  }
}

std::vector<double> overlap(GramView a, GramView b, const int64_t* left, const int64_t* right, int64_t n_pairs,
                            int order) {
  std::vector<double> out(n_pairs * order, 0.0);
  std::vector<Scratch<uint32_t>> tables(order);
  int64_t loaded = -1;
  for (int64_t p = 0; p < n_pairs; ++p) {
    for (int n = 0; n < order; ++n) {
      auto& table = tables[n];
      if (loaded != left[p]) {  // pairs with the same left side are adjacent
        int64_t from = a.offsets[left[p] * order + n], to = a.offsets[left[p] * order + n + 1];
        table.start(to - from);
        for (int64_t i = from; i < to; ++i) table.insert(a.keys[i]) = a.counts[i];
      }
      uint64_t matched = 0;
      for (int64_t i = b.offsets[right[p] * order + n]; i < b.offsets[right[p] * order + n + 1]; ++i)
        if (const uint32_t* count = table.find(b.keys[i])) matched += std::min(*count, b.counts[i]);
      out[p * order + n] = static_cast<double>(matched);
    }
    loaded = left[p];
  }
  return out;
}

namespace {

struct Gram {
  uint32_t source = 0, output = 0, references = 0;
  bool judged = false;
};

bool subsequence(const uint64_t* gram, int n, const uint64_t* begin, const uint64_t* end) {
  for (const uint64_t* p = begin; n > 0 && p < end; ++p)
    if (*p == *gram) ++gram, --n;
  return n == 0;
}

}  // namespace

std::vector<double> sari(GramView source, GramView output, GramView references, const int64_t* n_references,
                         int64_t n_samples, int order, const SariTokens* tokens) {
  std::vector<double> out(n_samples * order * kSariColumns, 0.0);
  Scratch<Gram> scratch;
  std::unordered_set<uint64_t> vocabulary;
  for (int64_t s = 0; s < n_samples; ++s) {
    double copies = static_cast<double>(n_references[s]);
    if (tokens) {
      vocabulary.clear();
      vocabulary.insert(tokens->source + tokens->source_offsets[s], tokens->source + tokens->source_offsets[s + 1]);
    }
    for (int n = 0; n < order; ++n) {
      int64_t g = s * order + n;
      double* row = out.data() + g * kSariColumns;
      scratch.start(source.offsets[g + 1] - source.offsets[g] + output.offsets[g + 1] - output.offsets[g]);
      for (int64_t i = source.offsets[g]; i < source.offsets[g + 1]; ++i)
        scratch.insert(source.keys[i]).source = source.counts[i];
      for (int64_t i = output.offsets[g]; i < output.offsets[g + 1]; ++i)
        scratch.insert(output.keys[i]).output = output.counts[i];
      double added_by_references = 0;
      for (int64_t i = references.offsets[g]; i < references.offsets[g + 1]; ++i) {
        Gram* gram = scratch.find(references.keys[i]);
        if (gram) gram->references = references.counts[i];
        if (!gram || gram->source == 0) ++added_by_references;
      }
      row[3] = added_by_references;
      scratch.each([&](uint64_t, const Gram& gram) {
        if (gram.source == 0) {
          row[0] += gram.references > 0;
          row[2] += 1;
          return;
        }
        double in_source = gram.source * copies, in_output = gram.output * copies, in_references = gram.references;
        double kept = std::min(in_source, in_output), kept_by_references = std::min(in_source, in_references);
        double well_kept = std::min(kept, in_references);
        row[4] += well_kept;
        row[5] += kept;
        row[6] += kept_by_references;
        if (kept > 0) row[7] += well_kept / kept, row[9] += 1;
        if (kept_by_references > 0) row[8] += well_kept / kept_by_references, row[10] += 1;
        double deleted = std::max(in_source - in_output, 0.0);
        double deleted_by_references = std::max(in_source - in_references, 0.0);
        double well_deleted = std::min(deleted, deleted_by_references);
        double deleted_beyond = std::max(deleted - in_references, 0.0);
        row[11] += well_deleted;
        row[12] += deleted;
        row[13] += deleted_by_references;
        row[14] += deleted_beyond;
        if (deleted > 0) row[15] += well_deleted / deleted, row[16] += deleted_beyond / deleted, row[19] += 1;
        if (deleted_by_references > 0) {
          row[17] += well_deleted / deleted_by_references;
          row[18] += deleted_beyond / deleted_by_references;
          row[20] += 1;
        }
      });
      if (!tokens) continue;
      const uint64_t* begin = tokens->output + tokens->output_offsets[s];
      int64_t length = tokens->output_offsets[s + 1] - tokens->output_offsets[s];
      bool source_has_order = tokens->source_offsets[s + 1] - tokens->source_offsets[s] > n;
      for (int64_t i = 0; i + n < length; ++i) {
        uint64_t key = begin[i];
        for (int k = 1; k <= n; ++k) key = extend_hash(key, begin[i + k]);
        Gram* gram = scratch.find(key);
        if (!gram || gram->judged || gram->source > 0 || gram->references == 0) continue;
        gram->judged = true;
        bool has_new = !source_has_order || std::any_of(begin + i, begin + i + n + 1, [&](uint64_t token) {
          return !vocabulary.contains(token);
        });
        row[1] += has_new || !subsequence(begin + i, n + 1, tokens->plain + tokens->plain_offsets[s],
                                          tokens->plain + tokens->plain_offsets[s + 1]);
      }
    }
  }
  return out;
}

}  // namespace plainmark
