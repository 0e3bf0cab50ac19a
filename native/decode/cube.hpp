// The state of cube pruning for a span: waiting combinations, and the known items.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "decode/derivations.hpp"
#include "decode/ranked_rules.hpp"
#include "decode/scfg.hpp"

namespace plainmark {

using Items = std::vector<const Item*>;

// A waiting combination; the language model scores it only when its turn has come.
struct Candidate {
  double priority;  // an estimate, until it is built
  std::uint32_t bundle, rule;
  std::array<std::uint32_t, MAX_NONTERMINALS> ranks;
  std::int32_t built;
};

// Candidates by priority, the earlier of two equal ones first.
class Queue {
 public:
  void clear() {
    candidates_.clear();
    waiting_.clear();
  }
  bool empty() const { return waiting_.empty(); }
  void push(const Candidate& candidate) {
    candidates_.push_back(candidate);
    push(static_cast<std::uint32_t>(candidates_.size() - 1));
  }
  void push(std::uint32_t number) {
    waiting_.push_back({candidates_[number].priority, number});
    std::push_heap(waiting_.begin(), waiting_.end());
  }
  std::uint32_t pop() {
    std::pop_heap(waiting_.begin(), waiting_.end());
    std::uint32_t number = waiting_.back().number;
    waiting_.pop_back();
    return number;
  }
  Candidate& operator[](std::uint32_t number) { return candidates_[number]; }

 private:
  struct Place {
    double priority;
    std::uint32_t number;
    bool operator<(const Place& other) const {
      return priority != other.priority ? priority < other.priority : number > other.number;
    }
  };
  std::vector<Candidate> candidates_;
  std::vector<Place> waiting_;
};

// The items of a span by their visible context: open addressing, emptied by increasing a counter.
class Known {
 public:
  void clear() {
    if (++turn_ == 0) {
      std::fill(slots_.begin(), slots_.end(), Slot{});
      turn_ = 1;
    }
    used_ = 0;
  }
  // The item of a key that `same` accepts, or an empty slot for a new one, which is null.
  template <class Same>
  Item*& find(std::uint64_t key, Same same) {
    if (2 * ++used_ > slots_.size()) grow();
    for (std::size_t at = key & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.turn != turn_) {
        slot = {key, nullptr, turn_};
        return slot.item;
      }
      if (slot.key == key && same(*slot.item)) return slot.item;
    }
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    Item* item = nullptr;
    std::uint32_t turn = 0;
  };
  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(std::max<std::size_t>(256, 2 * old.size()), Slot{});
    for (const Slot& slot : old) {
      if (slot.turn != turn_) continue;
      std::size_t at = slot.key & (slots_.size() - 1);
      while (slots_[at].turn == turn_) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::uint32_t turn_ = 1;
};

// The rules of one source side, and the items for its nonterminals.
struct Bundle {
  Ranked ranked;
  std::array<const Items*, MAX_NONTERMINALS> children;
  int arity;
};

// A combination that the language model has scored.
struct Built {
  Outside outside;
  double score, priority, lm, guess;
};

// Memory that is reused from sentence to sentence.
struct Buffers {
  Queue queue;
  Known known;
  std::vector<Built> built;
  std::vector<Bundle> bundles;
};

}  // namespace plainmark
