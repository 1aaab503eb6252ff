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
#include "cli/layout/ConversionReport.h"

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
                                       cl::init(std::string(OptionDefaults::target)),
                                       cl::desc("The GPU (default cuda:90)"),
                                       cl::sub(convertCommand));
static cl::opt<std::string> format("format", cl::value_desc("text|json"), cl::init("text"),
                                   cl::desc("How to print the plan (default text)"),
                                   cl::sub(convertCommand));

int cli::runConvertCommand() {
  for (auto *option : {&fromText, &toText, &tensorText})
    if (option->empty())
      return report(makeError("no --" + option->ArgStr.str() + " was given",
                              "say `tilewright convert --from ATTR --to ATTR --tensor TYPE`"));
  if (format != "text" && format != "json")
    return report(
        makeError("unknown format '" + format + "'", "say --format text or --format json"));
  Expected<std::string> text = describeConversion(
      {.from = fromText, .to = toText, .tensor = tensorText, .target = targetName, .prefix = "--"},
      format == "json");
  if (!text)
    return report(text.error());
  llvm::outs() << *text;
  return 0;
}
