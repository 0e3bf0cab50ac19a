#include "text/tokenize.hpp"

#include "text/hash.hpp"
#include "text/mteval.hpp"
#include "text/plain_words.hpp"
#include "text/white_space.hpp"

namespace plainmark {

namespace {

template <class Sink>
void split_single_spaces(std::string_view text, Sink&& sink) {
  size_t start = 0;
  for (;;) {
    size_t at = text.find(' ', start);
    sink(text.substr(start, at == std::string_view::npos ? at : at - start));
    if (at == std::string_view::npos) return;
    start = at + 1;
  }
}

inline bool ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

template <class Sink>
void split_chrf(std::string_view text, Sink&& sink) {
  split_white(text, [&](std::string_view word) {
    if (word.size() > 1 && ascii_punctuation(word.back())) {
      sink(word.substr(0, word.size() - 1));
      sink(word.substr(word.size() - 1));
    } else if (word.size() > 1 && ascii_punctuation(word.front())) {
      sink(word.substr(0, 1));
      sink(word.substr(1));
    } else {
      sink(word);
    }
  });
}

template <class Sink>
void split_rouge(std::string_view text, bool stem, Sink&& sink) {
  auto inside = [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c); };
  size_t i = 0;
  while (i < text.size()) {
    while (i < text.size() && !inside(text[i])) ++i;
    size_t start = i;
    while (i < text.size() && inside(text[i])) ++i;
    if (i == start) break;
    std::string_view word = text.substr(start, i - start);
    if (stem && word.size() > 3) {
      sink(std::string_view(porter_stem(std::string(word))));
    } else {
      sink(word);
    }
  }
}

template <class Sink>
void split_plain_words(std::string_view text, Sink&& sink) {
  thread_local PlainReader reader;
  const PlainText& plain = reader.read(text);
  for (const PlainWord& word : plain.words) sink(plain.of(word));
}

template <class Sink>
void split(const Texts::Piece& piece, Tokenizer mode, bool lowercase, std::string& work, std::string& spare,
           Sink&& sink) {
  std::string_view text = piece.bytes;
  bool lower_here = lowercase && piece.ascii;
  if (lower_here || mode == Tokenizer::v13a || mode == Tokenizer::zh) {
    work.assign(text);
    if (lower_here)
      for (char& c : work) c = static_cast<char>(c | ((c >= 'A') & (c <= 'Z')) << 5);
    text = work;
  }
  switch (mode) {
    case Tokenizer::none: return split_white(text, sink);
    case Tokenizer::v13a: return split_13a(work, spare, sink);
    case Tokenizer::zh: return split_zh(work, spare, sink);
    case Tokenizer::intl: return split_intl(text, spare, sink);
    case Tokenizer::chars: return split_chars(text, false, sink);
    case Tokenizer::all_chars: return split_chars(text, true, sink);
    case Tokenizer::space: return split_single_spaces(text, sink);
    case Tokenizer::chrf: return split_chrf(text, sink);
    case Tokenizer::rouge: return split_rouge(text, false, sink);
    case Tokenizer::plain: return split_plain_words(text, sink);
    case Tokenizer::porter: return split_rouge(text, true, sink);
  }
}

}  // namespace

std::pair<std::vector<uint64_t>, std::vector<int64_t>> tokenize(const Texts& texts, Tokenizer mode, bool lowercase) {
  std::vector<uint64_t> hashes;
  std::vector<int64_t> offsets{0};
  offsets.reserve(texts.pieces.size() + 1);
  size_t bytes = 0;
  for (const auto& piece : texts.pieces) bytes += piece.bytes.size();
  hashes.reserve(bytes / 4);
  std::string work, spare;
  for (const auto& piece : texts.pieces) {
    split(piece, mode, lowercase, work, spare, [&](std::string_view token) { hashes.push_back(hash_bytes(token)); });
    offsets.push_back(static_cast<int64_t>(hashes.size()));
  }
  return {std::move(hashes), std::move(offsets)};
}

std::vector<std::vector<std::string>> words(const Texts& texts, Tokenizer mode, bool lowercase) {
  std::vector<std::vector<std::string>> out;
  std::string work, spare;
  for (const auto& piece : texts.pieces) {
    auto& tokens = out.emplace_back();
    split(piece, mode, lowercase, work, spare, [&](std::string_view token) { tokens.emplace_back(token); });
  }
  return out;
}

}  // namespace plainmark
