//===- LinearLayouts.cpp - The layout algebra for Python ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "LinearLayouts.h"

#include "tilewright/layout/LinearLayout.h"

#include <algorithm>
#include <bit>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace tilewright;
using namespace tilewright::layout;

namespace {

using NamedBases = std::vector<std::pair<std::string, std::vector<std::vector<uint64_t>>>>;
using NamedSizes = std::vector<std::pair<std::string, uint64_t>>;

} // namespace

[[noreturn]] static void refuse(const std::string &message) {
  throw nb::value_error(message.c_str());
}

static void checkSize(uint64_t size, const char *what) {
  if (!std::has_single_bit(size) || size > uint64_t(1) << LinearLayout::MaxBits)
    refuse(std::string(what) + " is " + std::to_string(size) + ", and must be a power of two");
}

static std::string namesOf(std::span<const SizedDim> dims) {
  std::string text;
  for (const SizedDim &dim : dims)
    text += (text.empty() ? "" : ", ") + std::string(dim.dim.name());
  return "[" + text + "]";
}

/// That the outputs of `a` are the inputs, or outputs, `b` of another layout, in any order.
static void checkSameDims(std::span<const SizedDim> a, std::span<const SizedDim> b,
                          bool sameSizes) {
  bool fits =
      a.size() == b.size() && std::ranges::all_of(a, [&](const SizedDim &one) {
        auto found = std::ranges::find(b, one.dim, &SizedDim::dim);
        return found != b.end() && (sameSizes ? found->bits == one.bits : found->bits >= one.bits);
      });
  if (!fits)
    refuse("Dimensions must match, ignoring order, but they don't: " + namesOf(a) + " and " +
           namesOf(b) + (a.size() == b.size() ? ", or their sizes" : ""));
}

static LinearLayout identity(uint64_t size, const std::string &in, const std::string &out) {
  checkSize(size, "the size");
  return LinearLayout::identity1D(size, Dim::get(in), Dim::get(out));
}

static LinearLayout strided(uint64_t size, uint64_t stride, const std::string &in,
                            const std::string &out) {
  checkSize(size, "the size");
  checkSize(stride, "the stride");
  if (std::countr_zero(size) + std::countr_zero(stride) > int(LinearLayout::MaxBits))
    refuse("the layout has more than 63 bits");
  return LinearLayout::strided1D(size, stride, Dim::get(in), Dim::get(out));
}

static LinearLayout zeros(uint64_t size, const std::string &in, const std::string &out,
                          uint64_t outSize) {
  checkSize(size, "the size");
  checkSize(outSize, "outDimSize");
  return LinearLayout::zeros1D(size, Dim::get(in), Dim::get(out), outSize);
}

static LinearLayout fromBases(const NamedBases &named, const std::vector<std::string> &outNames,
                              const std::optional<std::vector<uint64_t>> &outSizes,
                              bool requireSurjective) {
  std::vector<InputBases> bases;
  for (const auto &[name, vectors] : named)
    bases.push_back({Dim::get(name), vectors});
  Result<LinearLayout> made = [&] {
    if (!outSizes) {
      std::vector<Dim> outs;
      for (const std::string &name : outNames)
        outs.push_back(Dim::get(name));
      return LinearLayout::fromBases(bases, outs);
    }
    if (outSizes->size() != outNames.size())
      refuse("out_dim_sizes has " + std::to_string(outSizes->size()) + " sizes for " +
             std::to_string(outNames.size()) + " dimensions");
    std::vector<std::pair<Dim, uint64_t>> outs;
    for (size_t i = 0; i < outNames.size(); ++i)
      outs.emplace_back(Dim::get(outNames[i]), (*outSizes)[i]);
    return LinearLayout::fromBases(bases, outs);
  }();
  if (!made)
    refuse(made.error());
  if (requireSurjective && !made->isSurjective())
    refuse("Layout is expected to be surjective, but does not reach every output: " +
           made->toString() + "; say require_surjective=False if that is meant");
  return *made;
}

static LinearLayout multiply(const LinearLayout &a, const LinearLayout &b) {
  if (a.totalInBits() + b.totalInBits() > LinearLayout::MaxBits ||
      a.totalOutBits() + b.totalOutBits() > LinearLayout::MaxBits)
    refuse("the product has more than 63 bits");
  if (a.ins().size() + b.ins().size() > LinearLayout::MaxDims ||
      a.outs().size() + b.outs().size() > LinearLayout::MaxDims)
    refuse("the product may have more than 16 dimensions");
  return a * b;
}

static LinearLayout compose(const LinearLayout &inner, const LinearLayout &outer) {
  checkSameDims(inner.outs(), outer.ins(), /*sameSizes=*/false);
  return inner.compose(outer);
}

static LinearLayout invert(const LinearLayout &layout) {
  if (!layout.isInvertible())
    refuse("A linear layout must be surjective and square to be invertible: " + layout.toString());
  return layout.invert();
}

static LinearLayout invertAndCompose(const LinearLayout &source, const LinearLayout &target) {
  checkSameDims(source.outs(), target.outs(), /*sameSizes=*/true);
  if (!source.imageWithin(target))
    refuse("the other layout does not reach every output that this one reaches");
  return source.invertAndCompose(target);
}

/// The outputs of inputs, both by the dimensions' names.
static nb::dict apply(const LinearLayout &layout, const nb::dict &inputs) {
  std::vector<DimValue> values;
  for (auto [name, value] : inputs) {
    Dim dim = Dim::get(nb::cast<std::string>(name));
    if (!layout.hasIn(dim))
      refuse("there is no input dimension '" + std::string(dim.name()) + "' of " +
             namesOf(layout.ins()));
    auto number = nb::cast<uint64_t>(value);
    if (number >= layout.inSize(dim))
      refuse("the input " + std::string(dim.name()) + " is " + std::to_string(number) +
             ", and its size is " + std::to_string(layout.inSize(dim)));
    values.push_back({dim, number});
  }
  if (values.size() != layout.ins().size())
    refuse("a value is needed of each of " + namesOf(layout.ins()));
  nb::dict result;
  for (const DimValue &value : layout.apply(values))
    result[nb::str(value.dim.name().data(), value.dim.name().size())] = value.value;
  return result;
}

static std::vector<std::string> names(std::span<const SizedDim> dims) {
  std::vector<std::string> result;
  for (const SizedDim &dim : dims)
    result.emplace_back(dim.dim.name());
  return result;
}

static NamedBases basesOf(const LinearLayout &layout) {
  NamedBases result;
  for (const SizedDim &in : layout.ins()) {
    auto &[name, vectors] = result.emplace_back(in.dim.name(), 0);
    for (uint64_t packed : layout.bases(in.dim)) {
      std::vector<uint64_t> &vector = vectors.emplace_back();
      for (const SizedDim &out : layout.outs())
        vector.push_back(layout.outValue(packed, out.dim));
    }
  }
  return result;
}

static NamedSizes outSizesOf(const LinearLayout &layout) {
  NamedSizes result;
  for (const SizedDim &out : layout.outs())
    result.emplace_back(out.dim.name(), out.size());
  return result;
}

/// The matrix over F2: a row for each bit of the output, a column for each of the input, the lowest
/// of the first dimension first.
static std::vector<std::vector<int>> matrixOf(const LinearLayout &layout) {
  std::vector<std::vector<int>> rows(layout.totalOutBits());
  for (unsigned bit = 0; bit < rows.size(); ++bit)
    for (uint64_t basis : layout.bases())
      rows[bit].push_back(static_cast<int>(basis >> bit & 1));
  return rows;
}

void tilewright::python::addLinearLayouts(nb::module_ &m) {
  nb::class_<LinearLayout>(m, "LinearLayout",
                           "A linear map over F2 from named input dimensions to named output "
                           "dimensions; all sizes are powers of two.")
      .def(nb::init<>())
      .def_static("identity_1d", &identity, "size"_a, "inDim"_a, "outDim"_a)
      .def_static("strided_1d", &strided, "size"_a, "stride"_a, "inDim"_a, "outDim"_a)
      .def_static("zeros_1d", &zeros, "size"_a, "inDim"_a, "outDim"_a, "outDimSize"_a = 1)
      .def_static("from_bases", &fromBases, "bases"_a, "out_dim_names"_a,
                  "out_dim_sizes"_a = nb::none(), "require_surjective"_a = true)
      .def("compose", &compose, "other"_a, "x -> other(self(x))")
      .def("invert", &invert)
      .def("pseudoinvert", &LinearLayout::pseudoInvert)
      .def("invert_and_compose", &invertAndCompose, "other"_a, "x -> other^-1(self(x))")
      .def("is_surjective", &LinearLayout::isSurjective)
      .def("is_injective", &LinearLayout::isInjective)
      .def("is_invertible", &LinearLayout::isInvertible)
      .def("apply", &apply, "inputs"_a)
      .def("get_matrix_view", &matrixOf)
      .def("get_in_dim_names", [](const LinearLayout &layout) { return names(layout.ins()); })
      .def("get_out_dim_names", [](const LinearLayout &layout) { return names(layout.outs()); })
      .def_prop_ro("bases", &basesOf)
      .def_prop_ro("out_dims", &outSizesOf)
      .def_prop_ro("num_in_dims", [](const LinearLayout &layout) { return layout.ins().size(); })
      .def_prop_ro("num_out_dims", [](const LinearLayout &layout) { return layout.outs().size(); })
      .def("__mul__", &multiply)
      .def("__eq__", [](const LinearLayout &a, const LinearLayout &b) { return a == b; })
      .def("__eq__", [](const LinearLayout &, const nb::object &) { return false; })
      .def("__str__", &LinearLayout::toString)
      .def("__repr__", &LinearLayout::toString);
}
