//===- BlockLoadCommand.cpp - The command tilewright blockload ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/layout/BlockLoadReport.h"

#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

static cl::opt<std::string> layoutText(cl::Positional, cl::desc("[ATTR]"),
                                       cl::sub(blockLoadCommand));
static cl::opt<std::string> tensorText("tensor", cl::value_desc("TYPE"),
                                       cl::desc("The tensor, such as tensor<256x32xf16>"),
                                       cl::sub(blockLoadCommand));
static cl::opt<std::string>
    memoryText("memory", cl::value_desc("row_major|column_major"), cl::init("row_major"),
               cl::desc("Which of the last two dimensions is contiguous in memory: the last "
                        "(default) or the last but one"),
               cl::sub(blockLoadCommand));
static cl::opt<std::string> accessText("access", cl::value_desc("load|store|prefetch"),
                                       cl::init("load"),
                                       cl::desc("What the messages do (default load)"),
                                       cl::sub(blockLoadCommand));
static cl::opt<std::string>
    viewText("view", cl::value_desc("steps|messages"),
             cl::desc("steps: tile, iterations and loads of a DPAS operand (default for loads of "
                      "one); messages: the messages of any layout (default otherwise)"),
             cl::sub(blockLoadCommand));
static cl::opt<bool>
    foldRows("fold-rows",
             cl::desc("A message's rows may be pieces of the contiguous dimension. The tensor must "
                      "then start at an address that messages may start at, and have no element "
                      "out of bounds"),
             cl::sub(blockLoadCommand));
static cl::opt<bool> spirvFormsOnly("spirv",
                                    cl::desc("Only messages that SPV_INTEL_2d_block_io has as "
                                             "instructions"),
                                    cl::sub(blockLoadCommand));
static cl::opt<std::string> targetText("target", cl::value_desc("TARGET"), cl::init("xpu:pvc"),
                                       cl::desc("The GPU (default xpu:pvc)"),
                                       cl::sub(blockLoadCommand));
static cl::opt<std::string> formatText("format", cl::value_desc("text|json"), cl::init("text"),
                                       cl::desc("How to print the plan (default text)"),
                                       cl::sub(blockLoadCommand));

int cli::runBlockLoadCommand() {
  Expected<std::string> text = describeBlockLoad({.layout = layoutText,
                                                  .tensor = tensorText,
                                                  .memory = memoryText,
                                                  .access = accessText,
                                                  .view = viewText,
                                                  .format = formatText,
                                                  .target = targetText,
                                                  .foldRows = foldRows,
                                                  .extensionFormsOnly = spirvFormsOnly,
                                                  .prefix = "--"});
  if (!text)
    return report(text.error());
  llvm::outs() << *text;
  return 0;
}
