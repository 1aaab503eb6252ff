//===- ConversionReport.cpp - Plans of conversions, by their texts ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/layout/ConversionReport.h"

#include "cli/layout/LayoutArguments.h"
#include "view/PlanText.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;

namespace {

/// One side: what the user gave, and its map on the tensor.
struct Side {
  LayoutArgument argument;
  layout::LinearLayout map;
};

/// A query that has been read.
struct Conversion {
  const ConversionQuery &query;
  const target::Target &target;
  TensorArgument tensor;

  Expected<Side> readSide(LayoutArguments &arguments, const char *name,
                          const std::string &text) const;
  Expected<void> checkSameThreads(const Side &from, const Side &to) const;
  std::string toText(const Side &from, const Side &to, const plan::ConversionPlan &plan) const;
  std::string toJson(const Side &from, const Side &to, const plan::ConversionPlan &plan) const;
};

struct Planned {
  Conversion conversion;
  Side from, to;
  plan::ConversionPlan plan;
};

} // namespace

Expected<Side> Conversion::readSide(LayoutArguments &arguments, const char *name,
                                    const std::string &text) const {
  auto argument = arguments.parseLayout(query.prefix + name, text);
  if (!argument)
    return argument.error();
  auto map = arguments.distributedLayout(*argument, tensor);
  if (!map)
    return map.error();
  uint64_t lanes = map->inSize(layout::dims::Lane);
  if (!target.hasWarpSize(lanes))
    return errorAt(argument->source, 0, argument->source.text.size(),
                   "the layout has " + std::to_string(lanes) + " lanes in a warp, but a warp of " +
                       std::string(target.name) + " has " + target.warpSizesText(),
                   "give a layout of " + target.warpSizesText() +
                       " lanes, or another target with " + query.prefix + "target");
  return Side{std::move(*argument), std::move(*map)};
}

/// A tensor is held by the same threads before and after.
Expected<void> Conversion::checkSameThreads(const Side &from, const Side &to) const {
  for (auto [dim, what, where] : {std::tuple(layout::dims::Lane, "lanes", "a warp"),
                                  std::tuple(layout::dims::Warp, "warps", "a block"),
                                  std::tuple(layout::dims::Block, "blocks", "a cluster")}) {
    uint64_t of = from.map.inSize(dim), wanted = to.map.inSize(dim);
    if (of != wanted)
      return errorAt(to.argument.source, 0, to.argument.source.text.size(),
                     "the layout has " + std::to_string(wanted) + " " + what + " in " + where +
                         ", but that of " + query.prefix + "from has " + std::to_string(of),
                     std::string("a conversion keeps the ") + what +
                         ": give two layouts for as many of them");
  }
  return {};
}

std::string Conversion::toText(const Side &from, const Side &to,
                               const plan::ConversionPlan &plan) const {
  return "from: " + textOf(from.argument.attribute) + "\nto: " + textOf(to.argument.attribute) +
         "\ntensor: " + tensor.source.text + "\ntarget: " + query.target + "\n" +
         view::toText(plan);
}

std::string Conversion::toJson(const Side &from, const Side &to,
                               const plan::ConversionPlan &plan) const {
  std::string out;
  llvm::raw_string_ostream os(out);
  auto quoted = [](const std::string &text) { return llvm::json::Value(text); };
  auto side = [&](const char *name, const Side &side) {
    os << "\"" << name << "\": {\"layout\": " << quoted(textOf(side.argument.attribute))
       << ", \"map\": " << side.map.toJson() << "}, ";
  };
  os << "{\"tensor\": " << quoted(tensor.source.text)
     << ", \"element_bits\": " << tensor.elementBits << ", \"target\": " << quoted(query.target)
     << ", ";
  side("from", from);
  side("to", to);
  os << "\"plan\": " << view::toJson(plan) << "}\n";
  return out;
}

// What is planned refers to layouts that `arguments` owns.
static Expected<Planned> readAndPlan(LayoutArguments &arguments, const ConversionQuery &query) {
  auto target = target::Target::parse(query.target);
  if (!target)
    return makeError(target.error(), "name one of them with " + query.prefix + "target");
  auto tensor = arguments.parseTensor(query.prefix + "tensor", query.tensor);
  if (!tensor)
    return tensor.error();
  if (tensor->encoding)
    return errorAt(tensor->source, 0, tensor->source.text.size(),
                   "the tensor's type names a layout of its own",
                   "leave it out: " + query.prefix + "from and " + query.prefix +
                       "to say the layouts");
  Conversion conversion = {query, **target, std::move(*tensor)};
  auto from = conversion.readSide(arguments, "from", query.from);
  if (!from)
    return from.error();
  auto to = conversion.readSide(arguments, "to", query.to);
  if (!to)
    return to.error();
  if (auto checked = conversion.checkSameThreads(*from, *to); !checked)
    return checked.error();
  Result<plan::ConversionPlan> plan = plan::planConversion(
      from->map, to->map, conversion.tensor.elementBits, (*target)->sharedMemory());
  if (!plan)
    return errorAt(to->argument.source, 0, to->argument.source.text.size(),
                   "there is no way from " + query.prefix + "from to " + query.prefix +
                       "to: " + plan.error(),
                   "convert parts of the tensor, or smaller elements");
  return Planned{std::move(conversion), std::move(*from), std::move(*to), std::move(*plan)};
}

Expected<plan::ConversionPlan> cli::planConversion(const ConversionQuery &query) {
  LayoutArguments arguments;
  auto planned = readAndPlan(arguments, query);
  if (!planned)
    return planned.error();
  return std::move(planned->plan);
}

Expected<std::string> cli::describeConversion(const ConversionQuery &query, bool asJson) {
  LayoutArguments arguments;
  auto planned = readAndPlan(arguments, query);
  if (!planned)
    return planned.error();
  const auto &[conversion, from, to, plan] = *planned;
  return asJson ? conversion.toJson(from, to, plan) : conversion.toText(from, to, plan);
}
