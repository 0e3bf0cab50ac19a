// A fuzzer of compiled code that reads untrusted data: texts, language models, grammars. The first byte selects the target.
// Built by `make fuzz` with Clang: libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "decode/scfg.hpp"
#include "fuzz/characters.hpp"
#include "lm/language_model.hpp"
#include "text/plain_words.hpp"
#include "text/tokenize.hpp"
#include "text/treebank.hpp"

using namespace plainmark;

namespace {

// Bytes as characters: ASCII is itself, any other byte begins a character of three bytes.
std::u32string points(std::string_view bytes) {
  std::u32string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    auto at = [&](size_t k) { return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u; };
    char32_t point = at(0);
    if (point >= 128) {
      point = ((at(0) & 127) << 16 | at(1) << 8 | at(2)) % 0x110000;
      i += 2;
    }
    text += point;
  }
  return text;
}

std::string utf8(const std::u32string& text) {
  std::string out;
  auto tail = [&](char32_t point, int shift) { out += static_cast<char>(0x80 | (point >> shift & 0x3f)); };
  for (char32_t point : text) {
    if (point < 0x80) {
      out += static_cast<char>(point);
    } else if (point < 0x800) {
      out += static_cast<char>(0xc0 | point >> 6), tail(point, 0);
    } else if (point < 0x10000) {
      out += static_cast<char>(0xe0 | point >> 12), tail(point, 6), tail(point, 0);
    } else {
      out += static_cast<char>(0xf0 | point >> 18), tail(point, 12), tail(point, 6), tail(point, 0);
    }
  }
  return out;
}

void read_text(std::string_view bytes) {
  std::u32string text = points(bytes);
  std::string encoded = utf8(text);
  Texts texts{{{encoded, encoded.size() == text.size()}}};
  for (int mode = 0; mode < kTokenizers; ++mode)
    for (bool lowercase : {false, true}) {
      tokenize(texts, static_cast<Tokenizer>(mode), lowercase);
      words(texts, static_cast<Tokenizer>(mode), lowercase);
    }
  treebank(text);
  PlainReader reader;
  reader.read(encoded);
  reader.spell(encoded);
  porter_stem(encoded);
}

void read_model(std::string_view bytes) {
  LanguageModel model(bytes);
  LanguageModel::State state = model.begin(), after;
  for (LanguageModel::Word word = 0; word < 20; ++word) {
    model.score(state, word, after);
    state = after;
  }
  for (size_t word = 0; word < model.vocabulary_size(); ++word) model.word(model.text(static_cast<uint32_t>(word)));
}

// Numbers of a small grammar, one byte each; then a sentence.
void read_grammar(std::string_view bytes) {
  size_t at = 0;
  auto next = [&] { return at < bytes.size() ? static_cast<int32_t>(static_cast<signed char>(bytes[at++])) : 0; };
  auto some = [&](auto& out) {
    size_t count = static_cast<unsigned>(next()) % 24;
    for (size_t i = 0; i < count; ++i) out.push_back(next());
  };
  std::vector<int32_t> lhs, sources, targets, sentence;
  std::vector<int64_t> source_offsets, target_offsets;
  int32_t words = next(), labels = next();
  some(lhs), some(sources), some(source_offsets), some(targets), some(target_offsets), some(sentence);
  Grammar grammar(lhs, sources, source_offsets, targets, target_offsets, words, labels);
  for (int32_t& word : sentence) word = word < 0 ? 0 : word;  // as the binding checks
  std::vector<double> rule_scores(grammar.rules()), copy_scores(sentence.size());
  for (double& score : rule_scores) score = next() / 8.0;
  std::vector<int32_t> copy_labels(sentence.size());
  std::vector<int64_t> label_offsets(sentence.size() + 1);
  for (size_t i = 0; i <= sentence.size(); ++i) label_offsets[i] = static_cast<int64_t>(i);
  Source source{sentence, copy_scores, copy_labels, label_offsets};
  DecodeOptions options;
  options.pop_limit = 1 + (static_cast<unsigned>(next()) % 20);
  options.nbest = 1 + (static_cast<unsigned>(next()) % 9);
  NBest out;
  if (grammar.labels() > 0) decode(grammar, nullptr, {}, rule_scores, {&source, 1}, options, out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] % 3 == 0) read_text(bytes);
    if (data[0] % 3 == 1) read_model(bytes);
    if (data[0] % 3 == 2) read_grammar(bytes);
  } catch (const std::invalid_argument&) {
  } catch (const std::out_of_range&) {
  } catch (const std::length_error&) {
  }
  return 0;
}
