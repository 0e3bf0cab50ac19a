// Kernels in several threads at once, under ThreadSanitizer: `make sanitize-threads`. One thread and eight must agree.
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "decode/lattice.hpp"
#include "fuzz/characters.hpp"
#include "lm/language_model.hpp"
#include "text/plain_words.hpp"
#include "text/tokenize.hpp"
#include "text/treebank.hpp"

using namespace plainmark;

namespace {

// Numbers of four bytes as the language model's file stores them: all first bytes, all second bytes, ...
template <class Number>
void planes(std::string& out, const std::vector<Number>& values) {
  for (size_t byte = 0; byte < 4; ++byte)
    for (const Number& value : values) out += reinterpret_cast<const char*>(&value)[byte];
}

// A bigram model of the words <unk>, <s>, </s>, a and b.
std::string model_bytes() {
  std::string text = "<unk>\n<s>\n</s>\na\nb\n", out = "plainlm1";
  auto number = [&](auto value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
  number(uint32_t{2}), number(uint32_t{32}), number(uint64_t{text.size()});
  for (uint64_t count : {5, 4, 0, 0, 0, 0}) number(count);
  out += text;
  planes<float>(out, {-1, -99, -0.7f, -0.6f, -0.8f});
  planes<float>(out, {-0.1f, -0.2f, 0, -0.3f, -0.4f});
  planes<uint32_t>(out, {0, 2, 0, 1, 1});
  planes<uint32_t>(out, {3, 1, 4, 2});
  planes<float>(out, {-0.3f, -0.4f, -0.5f, -0.6f});
  return out;
}

Paths search(const LanguageModel& model, int threads) {
  constexpr int64_t kSentences = 300, kWords = 12;
  std::vector<int64_t> lengths(kSentences, kWords), edges{0}, targets{0};
  std::vector<int32_t> starts, ends, words;
  std::vector<double> scores;
  for (int64_t s = 0; s < kSentences; ++s) {
    for (int32_t w = 0; w < kWords; ++w)
      for (int32_t choice = 0; choice < 3; ++choice) {
        starts.push_back(w), ends.push_back(w + 1), scores.push_back(0.1 * ((s + w * choice) % 7));
        words.push_back((w + choice + static_cast<int32_t>(s)) % 5);
        targets.push_back(static_cast<int64_t>(words.size()));
      }
    edges.push_back(static_cast<int64_t>(starts.size()));
  }
  std::vector<uint32_t> lm_words{0, 1, 2, 3, 4};
  Lattices lattices{lengths.data(), edges.data(),   kSentences,   starts.data(),  ends.data(),
                    scores.data(),  targets.data(), words.data(), lm_words.data()};
  return best_paths(model, lattices, {0.5, 20, 10.0, 5}, threads);
}

// Work that Python threads share without the interpreter lock.
uint64_t read(const LanguageModel& model, const std::string& text) {
  uint64_t sum = 0;
  Texts texts{{{text, false}}};
  for (int mode = 0; mode < kTokenizers; ++mode)
    for (uint64_t token : tokenize(texts, static_cast<Tokenizer>(mode), true).first) sum = sum * 31 + token;
  sum += treebank(U"The cat's mat, isn't it?").size() + PlainReader().read(text).words.size();
  LanguageModel::State state = model.begin(), after;
  model.score(state, model.word("a"), after);
  return sum + after.length;
}

}  // namespace

int main() {
  LanguageModel model(model_bytes());
  Paths one = search(model, 1), many = search(model, 8);
  bool agree = one.scores == many.scores && one.edges == many.edges && one.sentences == many.sentences;
  std::string text = "The cat's 3.5% \xc3\xbc\xe4\xb8\xad -- U.S.A. don't! \xf0\x9f\x98\x80 happily running";
  std::vector<uint64_t> sums(8);
  std::vector<std::thread> threads;
  for (uint64_t& sum : sums)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) sum = read(model, text);
    });
  for (std::thread& thread : threads) thread.join();
  for (uint64_t sum : sums) agree = agree && sum == sums[0];
  std::printf("threads %s: %zu paths, %zu readers\n", agree ? "agree" : "DIFFER", one.scores.size(), sums.size());
  return agree ? 0 : 1;
}
