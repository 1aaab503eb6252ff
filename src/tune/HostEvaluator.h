//===- HostEvaluator.h - The walk over host-side expressions --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TUNE_HOSTEVALUATOR_H
#define TILEWRIGHT_TUNE_HOSTEVALUATOR_H

#include "tune/HostExpression.h"

#include <optional>

namespace tilewright::tune {

/// Evaluates the expressions of one module. Behind the functions of HostExpression.h.
class Evaluator {
public:
  Evaluator(const frontend::ParsedModule &module, const HostNames &names)
      : module(module), scopes{{&names, {}}} {}

  /// The value, or nothing, and `error` is set.
  std::optional<HostValue> evaluate(const frontend::Expr &expression);
  /// The keyword arguments of a call, in order; those of `**dict` among them.
  std::optional<HostDict> evaluateKeywords(const frontend::CallExpr &call);

  Diagnostic error;

private:
  /// More is no list of configurations any more.
  static constexpr unsigned maxSteps = 100'000;
  static constexpr unsigned maxCalls = 50;

  /// Names of a function or of a comprehension, in front of those around it.
  struct Scope {
    const HostNames *given;
    HostNames own;
    /// A function's names hide those of its caller.
    bool isFunction = false;
  };

  std::nullopt_t fail(const frontend::Expr &at, std::string message, std::string remedy = {}) {
    error = makeError(std::move(message), std::move(remedy));
    error.where = {module.fileName().str(), int(at.begin.line), int(at.begin.column),
                   at.end.line == at.begin.line ? int(at.end.column - at.begin.column) : 1};
    error.sourceLine = sourceLineOf(module.text(), error.where.line);
    return std::nullopt;
  }
  std::nullopt_t cannotFollow(const frontend::Expr &at, const std::string &what) {
    return fail(at, what + " is not evaluated without Python",
                "write the configurations out, or give them with --config");
  }
  std::nullopt_t wrongTypes(const frontend::Expr &at, std::string_view what, const HostValue &a,
                            const HostValue &b) {
    return fail(at, std::string(what) + " does not take " + std::string(a.typeName()) + " and " +
                        std::string(b.typeName()));
  }

  std::optional<HostList> evaluateAll(const frontend::Exprs &expressions);
  std::optional<HostValue> evaluateName(const frontend::NameExpr &name);
  std::optional<HostValue> evaluateConstant(const frontend::ConstantExpr &constant);
  std::optional<HostValue> evaluateBinary(const frontend::BinOpExpr &expr);
  std::optional<HostValue> evaluateIntegers(const frontend::BinOpExpr &expr, int64_t a, int64_t b);
  std::optional<HostValue> evaluateFloats(const frontend::BinOpExpr &expr, double x, double y);
  std::optional<HostValue> evaluateUnary(const frontend::UnaryOpExpr &expr);
  std::optional<HostValue> evaluateCompare(const frontend::CompareExpr &expr);
  std::optional<bool> compare(const frontend::Expr &at, frontend::CompareOperator op,
                              const HostValue &a, const HostValue &b);
  std::optional<HostValue> evaluateDict(const frontend::DictExpr &expr);
  std::optional<HostValue> evaluateSubscript(const frontend::SubscriptExpr &expr);
  std::optional<HostValue> evaluateCall(const frontend::CallExpr &call);
  std::optional<HostValue> callBuiltin(const frontend::CallExpr &call, llvm::StringRef name,
                                       const HostList &arguments);
  std::optional<HostValue> callFunction(const frontend::CallExpr &call,
                                        const frontend::FunctionDefStmt &function,
                                        HostList arguments, HostDict keywords);
  std::optional<HostValue> makeConfig(const frontend::CallExpr &call, const HostList &arguments,
                                      HostDict keywords);
  std::optional<HostValue> reduce(const frontend::CallExpr &call, llvm::StringRef name,
                                  const HostList &arguments);

  /// Runs the generators of a comprehension from `index` on, and calls `element` for each turn.
  template <typename Element>
  bool generate(const frontend::List<frontend::Comprehension> &generators, size_t index,
                Element element);
  bool assign(const frontend::Expr &target, const HostValue &value);

  const frontend::ParsedModule &module;
  std::vector<Scope> scopes;
  unsigned steps = 0;
  unsigned calls = 0;
};

} // namespace tilewright::tune

#endif // TILEWRIGHT_TUNE_HOSTEVALUATOR_H
