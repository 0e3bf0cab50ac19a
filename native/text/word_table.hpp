// Word tables: one sorted array of 64-bit slots, 56 bits of a word's hash and 8 bits of what is known of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

class Table {
 public:
  Table() = default;
  // starts[b] is the first slot whose hash begins with the bits of b; there is one more start than buckets.
  Table(const uint64_t* slots, const int64_t* starts, size_t n_starts) : slots_(slots), starts_(starts) {
    for (size_t buckets = n_starts - 1; buckets > 1; buckets /= 2) --shift_;
  }

  // What the table says of a hash, or -1.
  int find(uint64_t hash) const {
    if (!slots_) return -1;
    uint64_t bucket = shift_ < 64 ? hash >> shift_ : 0;
    for (int64_t i = starts_[bucket]; i < starts_[bucket + 1]; ++i)
      if ((slots_[i] ^ hash) >> 8 == 0) return static_cast<int>(slots_[i] & 0xFF);
    return -1;
  }

 private:
  const uint64_t* slots_ = nullptr;
  const int64_t* starts_ = nullptr;
  int shift_ = 64;
};

// Remembers a value for each hash; most words of a corpus have been seen before.
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
