//===- ConvertCommand.cpp - The command tilewright convert --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Prints the plan of a conversion from one layout of a tensor to another.
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/LayoutArguments.h"
#include "target/Target.h"
#include "tilewright/layout/ConversionPlan.h"
#include "view/PlanText.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

static cl::opt<std::string> fromText("from", cl::value_desc("ATTR"),
                                     cl::desc("The layout that the tensor is in"),
                                     cl::sub(convertCommand));
static cl::opt<std::string> toText("to", cl::value_desc("ATTR"),
                                   cl::desc("The layout that it is wanted in"),
                                   cl::sub(convertCommand));
static cl::opt<std::string> tensorText("tensor", cl::value_desc("TYPE"),
                                       cl::desc("The tensor, such as tensor<128x64xf16>"),
                                       cl::sub(convertCommand));
static cl::opt<std::string> targetName("target", cl::value_desc("TARGET"),
                                       cl::init(std::string(target::defaultTargetName)),
                                       cl::desc("The GPU (default cuda:90)"),
                                       cl::sub(convertCommand));
static cl::opt<std::string> format("format", cl::value_desc("text|json"), cl::init("text"),
                                   cl::desc("How to print the plan (default text)"),
                                   cl::sub(convertCommand));

namespace {

/// One side: what the user gave, and its map on the tensor.
struct Side {
  LayoutArgument argument;
  layout::LinearLayout map;
};

Expected<Side> readSide(LayoutArguments &arguments, llvm::StringRef option, llvm::StringRef text,
                        const TensorArgument &tensor, const target::Target &target) {
  auto argument = arguments.parseLayout(option, text);
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
                       " lanes, or another target with --target");
  return Side{std::move(*argument), std::move(*map)};
}

/// A tensor is held by the same threads before and after.
Expected<void> checkSameThreads(const Side &from, const Side &to) {
  for (auto [dim, what, where] : {std::tuple(layout::dims::Lane, "lanes", "a warp"),
                                  std::tuple(layout::dims::Warp, "warps", "a block"),
                                  std::tuple(layout::dims::Block, "blocks", "a cluster")}) {
    uint64_t of = from.map.inSize(dim), wanted = to.map.inSize(dim);
    if (of != wanted)
      return errorAt(to.argument.source, 0, to.argument.source.text.size(),
                     "the layout has " + std::to_string(wanted) + " " + what + " in " + where +
                         ", but that of --from has " + std::to_string(of),
                     std::string("a conversion keeps the ") + what +
                         ": give two layouts for as many of them");
  }
  return {};
}

void printText(const Side &from, const Side &to, const TensorArgument &tensor,
               const plan::ConversionPlan &plan) {
  llvm::outs() << "from: " << textOf(from.argument.attribute)
               << "\nto: " << textOf(to.argument.attribute) << "\ntensor: " << tensor.source.text
               << "\ntarget: " << targetName << '\n'
               << view::toText(plan);
}

void printJson(const Side &from, const Side &to, const TensorArgument &tensor,
               const plan::ConversionPlan &plan) {
  auto quoted = [](const std::string &text) { return llvm::json::Value(text); };
  auto side = [&](const char *name, const Side &side) {
    llvm::outs() << "\"" << name << "\": {\"layout\": " << quoted(textOf(side.argument.attribute))
                 << ", \"map\": " << side.map.toJson() << "}, ";
  };
  llvm::outs() << "{\"tensor\": " << quoted(tensor.source.text)
               << ", \"element_bits\": " << tensor.elementBits
               << ", \"target\": " << quoted(targetName) << ", ";
  side("from", from);
  side("to", to);
  llvm::outs() << "\"plan\": " << view::toJson(plan) << "}\n";
}

} // namespace

int cli::runConvertCommand() {
  for (auto *option : {&fromText, &toText, &tensorText})
    if (option->empty())
      return report(makeError("no --" + option->ArgStr.str() + " was given",
                              "say `tilewright convert --from ATTR --to ATTR --tensor TYPE`"));
  if (format != "text" && format != "json")
    return report(
        makeError("unknown format '" + format + "'", "say --format text or --format json"));
  auto target = target::Target::parse(targetName);
  if (!target)
    return report(makeError(target.error(), "name one of them with --target"));

  LayoutArguments arguments;
  auto tensor = arguments.parseTensor("--tensor", tensorText);
  if (!tensor)
    return report(tensor.error());
  if (tensor->encoding)
    return report(errorAt(tensor->source, 0, tensor->source.text.size(),
                          "the tensor's type names a layout of its own",
                          "leave it out: --from and --to say the layouts"));
  auto from = readSide(arguments, "--from", fromText, *tensor, **target);
  if (!from)
    return report(from.error());
  auto to = readSide(arguments, "--to", toText, *tensor, **target);
  if (!to)
    return report(to.error());
  if (auto checked = checkSameThreads(*from, *to); !checked)
    return report(checked.error());

  Result<plan::ConversionPlan> plan =
      plan::planConversion(from->map, to->map, tensor->elementBits, (*target)->sharedMemory());
  if (!plan)
    return report(errorAt(to->argument.source, 0, to->argument.source.text.size(),
                          "there is no way from --from to --to: " + plan.error(),
                          "convert parts of the tensor, or smaller elements"));
  (format == "json" ? printJson : printText)(*from, *to, *tensor, *plan);
  return 0;
}
