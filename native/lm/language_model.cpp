#include "lm/language_model.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace plainmark {

namespace {

constexpr std::string_view kMagic = "plainlm1";

[[noreturn]] void broken(const char* what) { throw std::invalid_argument(what); }

// Reads the parts of a file in order; numbers of four bytes are stored as four planes of bytes, which
// compress better.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  std::string_view take(std::uint64_t size) {
    if (size > left_.size()) broken("it ends too early");
    std::string_view part = left_.substr(0, size);
    left_.remove_prefix(size);
    return part;
  }
  std::uint64_t number(int bytes) {
    std::uint64_t value = 0;
    std::string_view part = take(bytes);
    for (int i = 0; i < bytes; ++i) value |= static_cast<std::uint64_t>(static_cast<unsigned char>(part[i])) << (8 * i);
    return value;
  }
  std::vector<std::uint32_t> numbers(std::uint64_t count) {
    if (count > left_.size() / 4) broken("it ends too early");
    std::string_view planes = take(4 * count);
    std::vector<std::uint32_t> out(count);
    for (int plane = 0; plane < 4; ++plane) {
      const char* from = planes.data() + plane * count;
      for (std::uint64_t i = 0; i < count; ++i)
        out[i] |= static_cast<std::uint32_t>(static_cast<unsigned char>(from[i])) << (8 * plane);
    }
    return out;
  }
  std::vector<float> floats(std::uint64_t count, bool rounded) {
    std::vector<float> out;
    if (!rounded) {
      std::vector<std::uint32_t> raw = numbers(count);
      out.resize(count);
      for (std::uint64_t i = 0; i < count; ++i) out[i] = std::bit_cast<float>(raw[i]);
    } else {
      std::vector<float> book = floats(256, false);
      std::string_view codes = take(count);
      out.resize(count);
      for (std::uint64_t i = 0; i < count; ++i) out[i] = book[static_cast<unsigned char>(codes[i])];
    }
    for (float value : out)
      if (!std::isfinite(value)) broken("it has a probability that is not a number");
    // Sums of several values must stay finite.
    for (float value : out)
      if (std::abs(value) > 1e30f) broken("it has a probability beyond all bounds");
    return out;
  }
  bool done() const { return left_.empty(); }

 private:
  std::string_view left_;
};

// The n-grams of one order: the index of the first n-1 words among those of the order below, and the last word.
struct Level {
  std::vector<std::uint32_t> parents, words;
};

}  // namespace

LanguageModel::LanguageModel(std::string_view bytes) {
  Reader reader(bytes);
  if (bytes.size() < kMagic.size() || reader.take(kMagic.size()) != kMagic)
    broken("it does not begin as a plainmark language model");
  std::uint64_t order = reader.number(4), bits = reader.number(4), text_size = reader.number(8);
  if (order < 1 || order > MAX_ORDER) broken("its order is not between 1 and 6");
  if (bits != 8 && bits != 32) broken("its numbers have neither 8 nor 32 bits");
  order_ = static_cast<int>(order);
  std::array<std::uint64_t, MAX_ORDER> counts;
  std::uint64_t longer = 0;
  for (int n = 0; n < MAX_ORDER; ++n) {
    counts[n] = reader.number(8);
    if (counts[n] > bytes.size() || (n >= order_ && counts[n])) broken("its counts do not fit its size");
    if (n) longer += counts[n];
  }
  if (counts[0] < 3 || counts[0] >= 0xFFFFFFFF) broken("it has no words");
  read_words(reader.take(text_size), counts[0]);

  std::vector<float> logs = reader.floats(counts[0], false);
  std::vector<float> backs = order_ > 1 ? reader.floats(counts[0], false) : std::vector<float>(counts[0]);
  slots_.reserve(longer);
  unigrams_.resize(counts[0]);
  std::vector<Level> levels(order_);
  std::vector<float> later_logs, later_backs;
  for (int n = 2; n <= order_ + 1; ++n) {
    // Only the next order shows which n-grams of this one are contexts.
    std::vector<std::uint32_t> children =
        n <= order_ ? reader.numbers(counts[n - 2]) : std::vector<std::uint32_t>(counts[order_ - 1]);
    for (std::uint64_t i = 0; i < counts[n - 2]; ++i) {
      float back = children[i] || backs[i] != 0 ? backs[i] : NOTHING_FOLLOWS;
      if (n == 2) {
        unigrams_[i] = {logs[i], back};
        continue;
      }
      std::uint32_t at = static_cast<std::uint32_t>(i);
      std::uint64_t key = first_key(levels[n - 2].words[at]);
      for (int level = n - 2; level > 0; --level) {
        at = levels[level].parents[at];
        key = extend_hash(key, level > 1 ? levels[level - 1].words[at] : at);
      }
      slots_.insert(key, logs[i], back);
    }
    if (n > order_) break;
    Level& level = levels[n - 1];
    level.words = reader.numbers(counts[n - 1]);
    level.parents.resize(counts[n - 1]);
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < counts[n - 2]; ++i) {
      if (children[i] > counts[n - 1] - at) broken("its n-grams do not fit their contexts");
      std::uint64_t word = 0;
      for (std::uint32_t c = 0; c < children[i]; ++c, ++at) {  // words are stored as differences
        word += level.words[at];
        if (word >= counts[0]) broken("it names a word that it does not have");
        level.words[at] = static_cast<std::uint32_t>(word);
        level.parents[at] = static_cast<std::uint32_t>(i);
      }
    }
    if (at != counts[n - 1]) broken("its n-grams do not fit their contexts");
    logs = reader.floats(counts[n - 1], bits == 8);
    backs = n < order_ ? reader.floats(counts[n - 1], bits == 8) : std::vector<float>(counts[n - 1]);
  }
  if (!reader.done()) broken("it goes on after its end");
}

void LanguageModel::read_words(std::string_view block, std::size_t count) {
  text_ = block;
  std::string_view rest = text_;
  words_.reserve(count);
  while (words_.size() < count) {
    std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) broken("it has fewer words than it says");
    words_.push_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  if (!rest.empty()) broken("it has more words than it says");
  numbers_.assign(2 * count + 1, {0, UNKNOWN});
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t hash = hash_bytes(words_[i]) | 1;
    std::size_t at = scale(hash, numbers_.size());
    while (numbers_[at].hash && numbers_[at].hash != hash) at = at + 1 == numbers_.size() ? 0 : at + 1;
    if (!numbers_[at].hash) numbers_[at] = {hash, static_cast<Word>(i)};
  }
}

LanguageModel::Word LanguageModel::word(std::string_view text) const {
  std::uint64_t hash = hash_bytes(text) | 1;
  for (std::size_t at = scale(hash, numbers_.size());; at = at + 1 == numbers_.size() ? 0 : at + 1)
    if (numbers_[at].hash == hash || !numbers_[at].hash) return numbers_[at].word;
}

LanguageModel::State LanguageModel::begin() const {
  State state;
  if (order_ > 1) keep(state, 0, BEGIN, unigrams_[BEGIN].back_off);
  return state;
}

void LanguageModel::Slots::reserve(std::size_t count) {
  size_ = count / 4 + count / 8 + 1;  // two thirds full
  // Large pages if the system has them: with small pages, a look-up waits twice.
  constexpr std::size_t kPage = std::size_t{1} << 21;
  std::size_t bytes = size_ * sizeof(Group);
  bytes = bytes < kPage ? bytes : (bytes + kPage - 1) / kPage * kPage;
  std::align_val_t alignment{bytes < kPage ? alignof(Group) : kPage};
  groups_ = {static_cast<Group*>(::operator new(bytes, alignment)), Free{alignment}};
#ifdef __linux__
  if (bytes >= kPage) madvise(groups_.get(), bytes, MADV_HUGEPAGE);
#endif
  std::memset(static_cast<void*>(groups_.get()), 0, bytes);
}

void LanguageModel::Slots::insert(std::uint64_t key, float log_probability, float back_off) {
  key |= key == 0;
  for (std::size_t g = scale(key, size_);; g = g + 1 == size_ ? 0 : g + 1) {
    for (Slot& slot : groups_[g].slots) {
      if (slot.key == key) return;
      if (slot.key == 0) {
        slot = {key, log_probability, back_off};
        return;
      }
    }
  }
}

}  // namespace plainmark
