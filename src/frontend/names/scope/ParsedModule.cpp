//===- ParsedModule.cpp - A source file, parsed, with its names ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/ParsedModule.h"

#include "frontend/syntax/Parser.h"
#include "llvm/ADT/Statistic.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

#define DEBUG_TYPE "frontend"

ALWAYS_ENABLED_STATISTIC(numParsedModules, "Python source files parsed");

Expected<std::unique_ptr<const ParsedModule>> ParsedModule::parse(StringRef fileName,
                                                                  StringRef text) {
  std::unique_ptr<ParsedModule> module(new ParsedModule(fileName, text));
  ++numParsedModules;
  SyntaxError error;
  module->tree = frontend::parse(module->source, module->arena, error);
  if (!module->tree)
    return toDiagnostic(error, module->name, module->source);
  module->names.emplace(module->tree->body);
  return std::unique_ptr<const ParsedModule>(std::move(module));
}
