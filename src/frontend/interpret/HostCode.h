//===- HostCode.h - Evaluation of the code beside kernels -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A source says beside a kernel how it is launched: `@triton.autotune(configs=..)`. A user says it
// on the command line: `--grid "cdiv(n, BLOCK)"`. Both are expressions of Python, which are
// evaluated here as module-level code is, while no kernel is compiled: docs/frontend.md, "Constexpr
// functions", says what there is.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_INTERPRET_HOSTCODE_H
#define TILEWRIGHT_FRONTEND_INTERPRET_HOSTCODE_H

#include "frontend/names/execution/Environment.h"
#include "frontend/value/Function.h"
#include "frontend/value/TritonBuilder.h"
#include "tilewright/Expected.h"

#include <memory>

namespace tilewright::frontend {

/// That of one source file, which must outlive it. Values live as long as it does, and are
/// constants or objects of which only the names are known.
class HostCode {
public:
  /// `facts`: the target that the code asks for. `imports`: the other files that its names may come
  /// from; none if it is null.
  explicit HostCode(const ParsedModule &source, const CompileFacts &facts = {},
                    Imports *imports = nullptr);
  ~HostCode();

  /// The kernel of that name, or, without a name, the one that no other one calls. Null if there is
  /// none, or are several.
  const FunctionObject *findKernel(llvm::StringRef name);

  /// The value of an expression of a decorator, with the names as they are before the function.
  Expected<Value> evaluateBefore(const FunctionObject &function, const Expr &expr);
  /// The value of an expression of the source, which sees `names`, `cdiv`, `next_power_of_2`,
  /// `triton`, `tl`, `math` and what Python has, but no other name of the source.
  Expected<Value> evaluateWith(const Variables &names, const Expr &expr);

private:
  struct State;
  Expected<Value> resultOf(Value value);
  std::unique_ptr<State> state;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_INTERPRET_HOSTCODE_H
