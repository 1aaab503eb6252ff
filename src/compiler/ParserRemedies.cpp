//===- ParserRemedies.cpp - What to do about IR that cannot be read -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/ParserRemedies.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace mlir;
using namespace tilewright;

/// What stands between the first two quotes of `message`; empty without quotes.
static StringRef firstQuoted(StringRef message) {
  return message.split('\'').second.split('\'').first;
}

/// The op whose name is nearest to `name`, if it is near enough to be what was meant.
static StringRef findNearestOp(StringRef name, MLIRContext &context) {
  StringRef nearest;
  // One letter in three may be wrong.
  unsigned least = static_cast<unsigned>(name.split('.').second.size()) / 3 + 1;
  for (RegisteredOperationName op : context.getRegisteredOperations()) {
    const unsigned distance =
        name.edit_distance(op.getStringRef(), /*AllowReplacements=*/true, least);
    if (distance < least) {
      least = distance;
      nearest = op.getStringRef();
    }
  }
  return nearest;
}

static std::string remedyFor(StringRef message, MLIRContext &context) {
  constexpr std::pair<StringLiteral, StringLiteral> remedies[] = {
      {"use of undeclared SSA value name", "define the value before its uses"},
      {"use of value", "write the type that the value has where it is defined, or convert it"},
      {"redefinition of SSA value", "give one of the two another name"},
      {"redefinition of symbol", "give one of the two another name"},
      {"redefinition of attribute alias", "give one of the two another name"},
      {"undefined symbol alias id", "define the alias before its use, as in #blocked = "
                                    "#ttg.blocked<..>"},
      {"operation being parsed with an unregistered dialect",
       "take the op out: nothing is known of it"},
      {"expected", "the text before the caret was read; the syntax is that of MLIR 22"},
  };
  if (message.starts_with("custom op")) {
    StringRef nearest = findNearestOp(firstQuoted(message), context);
    return nearest.empty()
               ? "read are the ops of Triton 3.6, and those that docs/ir.md lists beside them"
               : ("there is '" + nearest + "'").str();
  }
  if (message.starts_with("Dialect `") || message.starts_with("dialect '"))
    return "read are ops of tt, ttg, ttng, ttig, gluon, tw, arith, math, scf, cf and ub: compile "
           "the "
           "kernel's source or its TTIR, before a vendor's ops come in";
  for (auto [prefix, remedy] : remedies)
    if (message.starts_with(prefix))
      return remedy.str();
  return {};
}

void compiler::addParserRemedies(std::vector<tilewright::Diagnostic> &diagnostics,
                                 MLIRContext &context) {
  for (tilewright::Diagnostic &diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Error)
      if (std::string remedy = remedyFor(diagnostic.message, context); !remedy.empty())
        diagnostic.remedy = std::move(remedy);
}
