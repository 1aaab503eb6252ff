//===- Pictures.cpp - Layouts and plans for notebooks -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Pictures.h"

#include "mlir/IR/Attributes.h"

#include "cli/layout/BlockLoadReport.h"
#include "cli/layout/ConversionReport.h"
#include "cli/layout/LayoutReport.h"
#include "view/PlanText.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace tilewright;
using namespace tilewright::cli;

template <typename T> static T valueOf(Expected<T> expected) {
  if (!expected)
    throw nb::value_error(render(expected.error()).c_str());
  return std::move(*expected);
}

/// A layout as a view and a format show it.
static std::string showLayout(const std::string &attribute, const std::string &tensorText,
                              const std::string &view, const std::string &format) {
  const LayoutView viewKind = valueOf(parseLayoutView(view, /*prefix=*/""));
  const LayoutFormat formatKind = valueOf(parseLayoutFormat(format, /*prefix=*/""));
  LayoutArguments arguments;
  const TensorArgument tensor = valueOf(arguments.parseTensor("tensor", tensorText));
  const LayoutArgument layout = valueOf(arguments.parseLayout("layout", attribute));
  return valueOf(describeLayout(arguments, layout, tensor, viewKind, formatKind));
}

static std::string showConversion(const std::string &from, const std::string &to,
                                  const std::string &tensor, const std::string &target,
                                  const std::string &format) {
  const auto plan = valueOf(planConversion({from, to, tensor, target, /*prefix=*/""}));
  return format == "json" ? view::toJson(plan) : view::toText(plan);
}

static std::string showMessages(const std::string &layout, const std::string &tensor,
                                const std::string &memory, const std::string &access,
                                const std::string &target, const std::string &format) {
  BlockLoadQuery query;
  query.layout = layout;
  query.tensor = tensor;
  query.memory = memory;
  query.access = access;
  query.view = "messages";
  query.format = format;
  query.target = target;
  return valueOf(describeBlockLoad(query));
}

void tilewright::python::addPictures(nb::module_ &m) {
  m.def("layout", &showLayout, "layout"_a, "tensor"_a, "view"_a, "format"_a);
  m.def("convert", &showConversion, "source"_a, "target_layout"_a, "tensor"_a, "target"_a,
        "format"_a);
  m.def("blockload", &showMessages, "layout"_a, "tensor"_a, "memory"_a, "access"_a, "target"_a,
        "format"_a);
}
