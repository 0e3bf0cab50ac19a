// Parts of the Python module that have a file of their own.
#pragma once

#include <nanobind/nanobind.h>

void add_language_model(nanobind::module_& m);
void add_lattice(nanobind::module_& m);
void add_scfg(nanobind::module_& m);
