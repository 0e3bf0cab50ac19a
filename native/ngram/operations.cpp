// The operation on every token between two texts: kept, moved, replaced, deleted or added.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "text/hash.hpp"
#include "ngram/sequences.hpp"

namespace plainmark {

namespace {

// Phrases are searched from long to short; a short one counts as moved only if it is unambiguous.
constexpr size_t kLongestPhrase = 32, kCertainPhrase = 4;

class Comparison {
 public:
  Comparison(Sequence a, Sequence b, const std::unordered_set<uint64_t>& marks, Operations out)
      : a_(a), b_(b), marks_(marks), out_(out) {}

  void run() {
    lcs_match(a_, b_, out_.a_partner);
    std::fill_n(out_.b_partner, b_.size(), -1);
    std::fill_n(out_.a, a_.size(), Operation::lone);
    std::fill_n(out_.b, b_.size(), Operation::lone);
    for (size_t i = 0; i < a_.size(); ++i)
      if (out_.a_partner[i] >= 0) join(i, out_.a_partner[i], Operation::keep);
    for (size_t length = kLongestPhrase; length > 0; length /= 2) move_phrases(length);
    replace_opposites();
  }

 private:
  Sequence a_, b_;
  const std::unordered_set<uint64_t>& marks_;
  Operations out_;

  struct Window {
    uint64_t hash;
    size_t start;
  };

  void join(size_t i, size_t j, Operation operation) {
    out_.a[i] = out_.b[j] = operation;
    out_.a_partner[i] = static_cast<int32_t>(j);
    out_.b_partner[j] = static_cast<int32_t>(i);
  }

  // All runs of `length` tokens that have no partner yet and are not punctuation only.
  std::vector<Window> windows(Sequence text, const Operation* operations, size_t length) const {
    std::vector<Window> out;
    size_t run = 0;
    for (size_t end = 0; end < text.size(); ++end) {
      run = operations[end] == Operation::lone ? run + 1 : 0;
      if (run < length) continue;
      size_t start = end + 1 - length;
      uint64_t hash = text[start];
      bool has_word = !marks_.contains(text[start]);
      for (size_t i = start + 1; i <= end; ++i) {
        hash = extend_hash(hash, text[i]);
        has_word = has_word || !marks_.contains(text[i]);
      }
      if (has_word) out.push_back({hash, start});
    }
    return out;
  }

  bool lone(const Operation* operations, size_t start, size_t length) const {
    return std::all_of(operations + start, operations + start + length, [](Operation o) { return o == Operation::lone; });
  }

  void move_phrases(size_t length) {
    auto here = windows(a_, out_.a, length);
    if (here.empty()) return;
    auto there = windows(b_, out_.b, length);
    // The positions of each phrase in b, chained from last to first so that the chain's head is the first.
    constexpr size_t none = ~size_t{0};
    std::unordered_map<uint64_t, size_t> head;
    std::vector<size_t> next(there.size());
    for (size_t k = there.size(); k-- > 0;) {
      auto [it, fresh] = head.try_emplace(there[k].hash, none);
      next[k] = std::exchange(it->second, k);
    }
    std::unordered_map<uint64_t, size_t> count;
    if (length < kCertainPhrase)
      for (const Window& window : here) ++count[window.hash];
    for (const Window& window : here) {
      auto it = head.find(window.hash);
      if (it == head.end() || !lone(out_.a, window.start, length)) continue;
      if (length < kCertainPhrase && (count[window.hash] > 1 || (it->second != none && next[it->second] != none)))
        continue;
      // Positions that have been taken stay taken, so the chain only gets shorter.
      size_t& k = it->second;
      while (k != none && !lone(out_.b, there[k].start, length)) k = next[k];
      if (k == none) continue;
      size_t i = window.start, j = there[k].start;
      if (!std::equal(a_.begin() + i, a_.begin() + i + length, b_.begin() + j)) continue;
      size_t end = i;
      for (; end < a_.size() && j < b_.size() && a_[end] == b_[j] && out_.a[end] == Operation::lone &&
             out_.b[j] == Operation::lone;
           ++end, ++j)
        join(end, j, Operation::move);
    }
  }

  // Between two kept tokens, added tokens replace deleted ones: words replace words, and
  // punctuation replaces punctuation.
  void replace_opposites() {
    size_t i = 0, j = 0;
    while (i < a_.size() || j < b_.size()) {
      size_t a_end = i, b_end = j;
      while (a_end < a_.size() && out_.a[a_end] != Operation::keep) ++a_end;
      while (b_end < b_.size() && out_.b[b_end] != Operation::keep) ++b_end;
      for (bool mark : {false, true}) {
        if (any_lone(a_, out_.a, i, a_end, mark) && any_lone(b_, out_.b, j, b_end, mark)) {
          label(a_, out_.a, i, a_end, mark);
          label(b_, out_.b, j, b_end, mark);
        }
      }
      i = a_end + 1, j = b_end + 1;
    }
  }

  bool any_lone(Sequence text, const Operation* operations, size_t from, size_t to, bool mark) const {
    for (size_t i = from; i < to; ++i)
      if (operations[i] == Operation::lone && marks_.contains(text[i]) == mark) return true;
    return false;
  }

  void label(Sequence text, Operation* operations, size_t from, size_t to, bool mark) const {
    for (size_t i = from; i < to; ++i)
      if (operations[i] == Operation::lone && marks_.contains(text[i]) == mark) operations[i] = Operation::replace;
  }
};

}  // namespace

void compare(Sequence a, Sequence b, const std::unordered_set<uint64_t>& marks, Operations out) {
  Comparison(a, b, marks, out).run();
}

}  // namespace plainmark
