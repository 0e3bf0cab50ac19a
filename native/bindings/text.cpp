// Tokens, words and counts of texts.
#include <nanobind/stl/pair.h>

#include <bit>

#include "bindings/checks.hpp"
#include "text/readability.hpp"
#include "text/tokenize.hpp"
#include "text/treebank.hpp"

namespace plainmark {

PythonTexts::PythonTexts(nb::list texts, bool lowercase) : strings_(nb::steal(PyList_AsTuple(texts.ptr()))) {
  if (!strings_.is_valid()) throw nb::python_error();
  nb::tuple strings = nb::borrow<nb::tuple>(strings_);
  pieces.reserve(strings.size());
  for (nb::handle text : strings) {
    if (!PyUnicode_Check(text.ptr())) {
      nb::str type = nb::str(text.type().attr("__name__"));
      throw nb::type_error((std::string("expected a list of str, found ") + type.c_str()).c_str());
    }
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    bool ascii = bytes && size == PyUnicode_GetLength(text.ptr());
    if (ascii || (bytes && !lowercase)) {
      pieces.push_back({{bytes, static_cast<size_t>(size)}, ascii});
      continue;
    }
    PyErr_Clear();
    nb::object source = lowercase ? text.attr("lower")() : nb::borrow(text);
    nb::object encoded = nb::steal(PyUnicode_AsEncodedString(source.ptr(), "utf-8", "surrogatepass"));
    if (!encoded.is_valid()) throw nb::python_error();
    char* start;
    if (PyBytes_AsStringAndSize(encoded.ptr(), &start, &size)) throw nb::python_error();
    owned_.push_back(std::make_unique<std::string>(start, size));
    pieces.push_back({*owned_.back(), false});
  }
}

namespace {

std::u32string to_points(nb::handle text) {
  static_assert(sizeof(char32_t) == sizeof(Py_UCS4));
  Py_ssize_t size = PyUnicode_GetLength(text.ptr());
  if (size < 0) throw nb::python_error();
  std::u32string points(static_cast<size_t>(size), U' ');
  if (!PyUnicode_AsUCS4(text.ptr(), reinterpret_cast<Py_UCS4*>(points.data()), size, 0)) throw nb::python_error();
  return points;
}

nb::object from_points(const std::u32string& points) {
  int byte_order = std::endian::native == std::endian::little ? -1 : 1;
  nb::object text = nb::steal(PyUnicode_DecodeUTF32(reinterpret_cast<const char*>(points.data()),
                                                    static_cast<Py_ssize_t>(4 * points.size()), "surrogatepass",
                                                    &byte_order));
  if (!text.is_valid()) throw nb::python_error();
  return text;
}

nb::object from_utf8(const std::string& bytes) {
  nb::object text = nb::steal(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogatepass"));
  if (!text.is_valid()) throw nb::python_error();
  return text;
}

// Stems a word whose letters may need more than one byte: each foreign letter is represented by a spare byte.
std::u32string stem(const std::u32string& word) {
  std::u32string foreign;
  std::string bytes;
  for (char32_t c : word) {
    size_t number = c < 128 ? 0 : foreign.find(c);
    if (number == std::u32string::npos) number = foreign.size(), foreign += c;
    if (number >= 128) return word;  // no alphabet has this many letters in a word
    bytes += static_cast<char>(c < 128 ? c : 128 + number);
  }
  std::u32string out;
  for (unsigned char c : porter_stem(std::move(bytes))) out += c < 128 ? c : foreign[c - 128];
  return out;
}

Tokenizer tokenizer(int mode) {
  check_range(mode, 0, kTokenizers - 1, "the number of a tokeniser");
  return static_cast<Tokenizer>(mode);
}

WordTable table(const Hashes& slots, const Offsets& starts) { return {all(slots), all(starts)}; }

}  // namespace

void add_text(nb::module_& m) {
  m.def("tokenize", [](nb::list texts, int mode, bool lowercase) {
    Tokenizer kind = tokenizer(mode);
    PythonTexts input(texts, lowercase);
    std::pair<std::vector<uint64_t>, std::vector<int64_t>> out;
    {
      nb::gil_scoped_release unlocked;
      out = tokenize(input, kind, lowercase);
    }
    return std::make_pair(to_numpy(std::move(out.first)), to_numpy(std::move(out.second)));
  });

  m.def("words", [](nb::list texts, int mode, bool lowercase) {
    Tokenizer kind = tokenizer(mode);
    PythonTexts input(texts, lowercase);
    nb::list out;
    for (const auto& tokens : words(input, kind, lowercase)) {
      nb::list row;
      for (const std::string& token : tokens) row.append(from_utf8(token));
      out.append(row);
    }
    return out;
  });

  m.def("stem", [](nb::str word) { return from_points(stem(to_points(word))); });

  m.def("treebank", [](nb::list sentences) {
    std::vector<std::u32string> texts;
    texts.reserve(sentences.size());
    for (nb::handle sentence : sentences) {
      if (!PyUnicode_Check(sentence.ptr())) throw nb::type_error("expected a list of str");
      texts.push_back(to_points(sentence));
    }
    {
      nb::gil_scoped_release unlocked;
      for (auto& text : texts) text = treebank(text);
    }
    nb::list out;
    for (const auto& text : texts) out.append(from_points(text));
    return out;
  });

  // One row of counts per text, and the words that the table of syllables lacks.
  m.def("count_words", [](nb::list texts, int rule, Hashes syllables, Offsets syllable_starts, Hashes familiar,
                          Offsets familiar_starts) {
    check_range(rule, 0, kCountRules - 1, "the number of a rule");
    auto count_rule = static_cast<CountRule>(rule);
    PythonTexts input(texts, false), lowered(texts, count_rule == CountRule::textstat);
    check_length(lowered.pieces.size(), input.pieces.size(), "texts");
    WordTable syllable_table = table(syllables, syllable_starts), familiar_table = table(familiar, familiar_starts);
    std::vector<std::string> unknown;
    std::vector<int64_t> out;
    {
      nb::gil_scoped_release unlocked;
      out = count_words(input, lowered, count_rule, syllable_table, familiar_table, unknown);
    }
    nb::list missing;
    for (const std::string& word : unknown) missing.append(from_utf8(word));
    return std::make_pair(to_numpy(std::move(out), {input.pieces.size(), kCountColumns}), missing);
  });

  m.def("syllables", [](nb::list words, Hashes slots, Offsets starts) {
    return to_numpy(spelled_syllables(PythonTexts(words, false), table(slots, starts)));
  });
}

}  // namespace plainmark
