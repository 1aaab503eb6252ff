//===- Pictures.cpp - Layouts and plans for notebooks -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Pictures.h"

#include "mlir/IR/Attributes.h"

#include "cli/LayoutReport.h"
#include "plan/block2d/BlockMessages.h"
#include "target/Target.h"
#include "tilewright/layout/ConversionPlan.h"
#include "view/PlanText.h"

#include "llvm/ADT/StringSwitch.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace tilewright;
using namespace tilewright::cli;

[[noreturn]] static void fail(const Diagnostic &error) {
  throw nb::value_error(render(error).c_str());
}

template <typename T> static T valueOf(Expected<T> expected) {
  if (!expected)
    fail(expected.error());
  return std::move(*expected);
}

/// A layout as a view and a format show it.
static std::string showLayout(const std::string &attribute, const std::string &tensorText,
                              const std::string &view, const std::string &format) {
  auto viewKind = llvm::StringSwitch<std::optional<LayoutView>>(view)
                      .Case("tensor", LayoutView::Tensor)
                      .Case("hw", LayoutView::Hardware)
                      .Case("bases", LayoutView::Bases)
                      .Case("access", LayoutView::Access)
                      .Default(std::nullopt);
  auto formatKind = llvm::StringSwitch<std::optional<LayoutFormat>>(format)
                        .Case("text", LayoutFormat::Text)
                        .Case("json", LayoutFormat::Json)
                        .Case("svg", LayoutFormat::Svg)
                        .Case("cute", LayoutFormat::Cute)
                        .Default(std::nullopt);
  if (!viewKind || !formatKind)
    fail(makeError("there is no view '" + view + "' or no format '" + format + "'",
                   "views are tensor, hw, bases and access, formats text, json, svg and cute"));
  LayoutArguments arguments;
  const TensorArgument tensor = valueOf(arguments.parseTensor("tensor", tensorText));
  const LayoutArgument layout = valueOf(arguments.parseLayout("layout", attribute));
  return valueOf(describeLayout(arguments, layout, tensor, *viewKind, *formatKind));
}

static const target::Target &targetNamed(const std::string &name) {
  Result<const target::Target *> target = target::Target::parse(name);
  if (!target)
    fail(makeError(target.error()));
  return **target;
}

static std::string showConversion(const std::string &fromText, const std::string &toText,
                                  const std::string &tensorText, const std::string &targetName,
                                  const std::string &format) {
  const target::Target &target = targetNamed(targetName);
  LayoutArguments arguments;
  const TensorArgument tensor = valueOf(arguments.parseTensor("tensor", tensorText));
  auto mapOf = [&](const char *name, const std::string &text) {
    const LayoutArgument layout = valueOf(arguments.parseLayout(name, text));
    layout::LinearLayout map = valueOf(arguments.distributedLayout(layout, tensor));
    const uint64_t lanes = map.inSize(layout::dims::Lane);
    if (!target.hasWarpSize(lanes))
      fail(errorAt(layout.source, 0, text.size(),
                   "the layout has " + std::to_string(lanes) + " lanes in a warp, but a warp of " +
                       std::string(target.name) + " has " + target.warpSizesText()));
    return map;
  };
  const layout::LinearLayout from = mapOf("from", fromText), to = mapOf("to", toText);
  for (layout::Dim dim : {layout::dims::Lane, layout::dims::Warp, layout::dims::Block})
    if (from.inSize(dim) != to.inSize(dim))
      fail(makeError("the two layouts are not held by the same threads",
                     "a conversion keeps the lanes, warps and blocks"));
  Result<plan::ConversionPlan> plan =
      plan::planConversion(from, to, tensor.elementBits, target.sharedMemory());
  if (!plan)
    fail(makeError("there is no such conversion: " + plan.error()));
  return format == "json" ? view::toJson(*plan) : view::toText(*plan);
}

static std::string showMessages(const std::string &attribute, const std::string &tensorText,
                                const std::string &memory, const std::string &access,
                                const std::string &targetName, const std::string &format) {
  using plan::block2d::BlockAccess;
  auto accessKind = llvm::StringSwitch<std::optional<BlockAccess>>(access)
                        .Case("load", BlockAccess::Load)
                        .Case("store", BlockAccess::Store)
                        .Case("prefetch", BlockAccess::Prefetch)
                        .Default(std::nullopt);
  if (!accessKind || (memory != "row_major" && memory != "column_major"))
    fail(makeError("there is no access '" + access + "' or no memory '" + memory + "'",
                   "access is load, store or prefetch, memory row_major or column_major"));
  const auto *limits = plan::block2d::blockMessageLimits(targetNamed(targetName));
  if (!limits)
    fail(makeError(targetName + " has no 2D block messages", "name an xpu target"));
  LayoutArguments arguments;
  const TensorArgument tensor = valueOf(arguments.parseTensor("tensor", tensorText));
  const LayoutArgument layout = valueOf(arguments.parseLayout("layout", attribute));
  const auto rank = static_cast<unsigned>(tensor.shape.size());
  if (memory == "column_major" && rank < 2)
    fail(makeError("a tensor of one dimension has no columns"));
  plan::block2d::BlockMessageRequest request;
  request.layout = valueOf(arguments.distributedLayout(layout, tensor));
  request.elementBits = tensor.elementBits;
  request.contiguousDim = memory == "row_major" ? rank - 1 : rank - 2;
  request.access = *accessKind;
  request.limits = *limits;
  auto plan = planBlockMessages(request);
  if (!plan)
    fail(makeError(plan.error(), "give another tensor or layout"));
  return format == "json" ? view::toJson(*plan) : view::toText(*plan);
}

void tilewright::python::addPictures(nb::module_ &m) {
  m.def("layout", &showLayout, "layout"_a, "tensor"_a, "view"_a, "format"_a);
  m.def("convert", &showConversion, "source"_a, "target_layout"_a, "tensor"_a, "target"_a,
        "format"_a);
  m.def("blockload", &showMessages, "layout"_a, "tensor"_a, "memory"_a, "access"_a, "target"_a,
        "format"_a);
}
