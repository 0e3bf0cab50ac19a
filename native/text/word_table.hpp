// Word tables: one sorted array of 64-bit slots, 56 bits of a word's hash and 8 bits for its value.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace plainmark {

class WordTable {
 public:
  WordTable() = default;
  // starts[b] is the first slot whose hash begins with the bits of b; there is one more start than buckets, whose number
  // is a power of two. Nothing outside of the slots is read, whatever the starts say.
  WordTable(std::span<const uint64_t> slots, std::span<const int64_t> starts) : slots_(slots), starts_(starts) {
    if (starts.size() < 2 || !std::has_single_bit(starts.size() - 1))
      throw std::invalid_argument("a word table has " + std::to_string(starts.size()) +
                                  " starts; expected one more than a power of two");
    shift_ = 64 - std::countr_zero(starts.size() - 1);
  }

  // The value of a hash, or -1.
  int find(uint64_t hash) const {
    if (starts_.empty()) return -1;
    uint64_t bucket = shift_ < 64 ? hash >> shift_ : 0;
    int64_t begin = starts_[bucket], end = starts_[bucket + 1];
    if (begin < 0 || end > static_cast<int64_t>(slots_.size()))
      throw std::out_of_range("a word table has starts outside of its slots");
    for (int64_t i = begin; i < end; ++i)
      if ((slots_[i] ^ hash) >> 8 == 0) return static_cast<int>(slots_[i] & 0xFF);
    return -1;
  }

 private:
  std::span<const uint64_t> slots_;
  std::span<const int64_t> starts_;
  int shift_ = 64;
};

// Caches a value for each hash, because most words of a corpus occur repeatedly.
template <class Value>
class Memo {
 public:
  Memo() : slots_(64) {}

  // The place for a hash, and whether it is new. The reference holds until the next call.
  std::pair<Value&, bool> at(uint64_t key) {
    if (2 * used_ >= slots_.size()) grow();
    Slot& slot = place(key);
    bool fresh = !slot.taken;
    if (fresh) {
      slot = {key, true, {}};
      ++used_;
    }
    return {slot.value, fresh};
  }

 private:
  struct Slot {
    uint64_t key = 0;
    bool taken = false;
    Value value{};
  };

  Slot& place(uint64_t key) {
    size_t mask = slots_.size() - 1;
    for (size_t i = key & mask;; i = (i + 1) & mask)
      if (!slots_[i].taken || slots_[i].key == key) return slots_[i];
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.taken) place(slot.key) = slot;
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace plainmark
