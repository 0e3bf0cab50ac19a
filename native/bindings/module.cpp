// The Python module. Texts are passed as lists of str, everything else as flat arrays; work runs without the interpreter
// lock.
#include "bindings/bindings.hpp"

NB_MODULE(_native, m) {
  nanobind::set_leak_warnings(false);  // a model that lives as long as the program is not a leak
  m.attr("SOURCE") = PLAINMARK_SOURCE;  // a digest of these files, from CMakeLists.txt
  plainmark::add_text(m);
  plainmark::add_ngrams(m);
  plainmark::add_sequences(m);
  plainmark::add_statistics(m);
  plainmark::add_language_model(m);
  plainmark::add_charts(m);
  plainmark::add_lattice(m);
  plainmark::add_scfg(m);
  plainmark::add_encoder(m);
}
