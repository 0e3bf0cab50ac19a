// The language model.
#include "lm/language_model.hpp"

#include <nanobind/stl/pair.h>

#include "bindings/checks.hpp"

namespace plainmark {

namespace {

using Ids = In<LanguageModel::Word>;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view bytes_of(nb::handle text) {
  Py_ssize_t size;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data) throw nb::python_error();
  return {data, static_cast<size_t>(size)};
}

}  // namespace

void add_language_model(nb::module_& m) {
  nb::class_<LanguageModel>(m, "LanguageModel")
      .def("__init__",
           [](LanguageModel* self, nb::bytes data) {
             std::string_view bytes(data.c_str(), data.size());
             nb::gil_scoped_release unlocked;
             new (self) LanguageModel(bytes);
           })
      .def_prop_ro("order", &LanguageModel::order)
      .def("__len__", &LanguageModel::vocabulary_size)
      // The indices of words, 0 for unknown ones.
      .def("ids",
           [](const LanguageModel& self, nb::list words) {
             std::vector<uint32_t> out;
             out.reserve(words.size());
             for (nb::handle word : words) out.push_back(self.word(bytes_of(word)));
             return to_numpy(std::move(out));
           })
      // The indices of the words between the spaces of texts, and the start of each text.
      .def("split",
           [](const LanguageModel& self, nb::list texts) {
             PythonTexts input(texts, false);
             std::vector<uint32_t> ids;
             std::vector<int64_t> offsets{0};
             {
               nb::gil_scoped_release unlocked;
               for (const auto& piece : input.pieces) {
                 const char *at = piece.bytes.data(), *end = at + piece.bytes.size();
                 while (true) {
                   while (at < end && is_space(*at)) ++at;
                   if (at == end) break;
                   const char* start = at;
                   while (at < end && !is_space(*at)) ++at;
                   ids.push_back(self.word({start, static_cast<size_t>(at - start)}));
                 }
                 offsets.push_back(static_cast<int64_t>(ids.size()));
               }
             }
             return std::make_pair(to_numpy(std::move(ids)), to_numpy(std::move(offsets)));
           })
      // The log10 probability of every word; with `sentence`, texts begin after <s> and have one more: that of their end.
      .def("score", [](const LanguageModel& self, Ids ids, Offsets offsets, bool sentence) {
        check_offsets(offsets, ids.size(), "offsets of texts");
        check_indices(ids, self.vocabulary_size(), "ids");
        size_t texts = offsets.size() - 1;
        std::vector<float> out;
        out.reserve(ids.size() + (sentence ? texts : 0));
        {
          nb::gil_scoped_release unlocked;
          LanguageModel::State state, next;
          for (size_t t = 0; t < texts; ++t) {
            state = sentence ? self.begin() : self.nothing();
            for (int64_t i = offsets.data()[t]; i < offsets.data()[t + 1]; ++i) {
              out.push_back(self.score(state, ids.data()[i], next));
              std::swap(state, next);
            }
            if (sentence) out.push_back(self.score(state, self.end_word(), next));
          }
        }
        return to_numpy(std::move(out));
      });
}

}  // namespace plainmark
