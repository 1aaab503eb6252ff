//===- ControlFlow.cpp - Code generation for branches -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The bodies of a branch are generated apart, before the op is made: only then is it
// known which variables they change, and to what types.
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/KernelBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;
namespace scf = mlir::scf;

/// Code that is generated before the op that will hold it.
namespace {
class DetachedBlock {
public:
  explicit DetachedBlock(mlir::OpBuilder &builder) : guard(builder) {
    region.push_back(new mlir::Block());
    builder.setInsertionPointToStart(&region.front());
  }
  mlir::Region region;

private:
  mlir::OpBuilder::InsertionGuard guard;
};
} // namespace

/// Makes a value for the branch `ending`, in which the function's body ends without a `return`: it
/// has the type of `value`, which the other branch returns, and no meaning, as in Triton.
static Value makePoison(TritonBuilder &tb, mlir::Region &returning, Value &value,
                        mlir::Region &ending) {
  mlir::OpBuilder::InsertionGuard guard(tb.builder);
  tb.builder.setInsertionPointToEnd(&returning.front());
  value = variableOf(tb, value);
  if (!value)
    return {};
  tb.builder.setInsertionPointToEnd(&ending.front());
  tb.builder.getContext()->loadDialect<mlir::ub::UBDialect>();
  llvm::SmallVector<mlir::Value> flat, poison;
  flatten(value, flat);
  for (mlir::Value one : flat)
    poison.push_back(mlir::ub::PoisonOp::create(tb.builder, tb.loc(), one.getType()));
  size_t next = 0;
  return rebuild(value, poison, next);
}

/// Makes the `if` of two regions that yield these values, and returns its results.
static mlir::ValueRange makeIf(TritonBuilder &tb, const Value &condition, mlir::Region &thenRegion,
                               mlir::Region &elseRegion, mlir::ValueRange thenValues,
                               mlir::ValueRange elseValues) {
  auto op = scf::IfOp::create(tb.builder, tb.loc(), thenValues.getTypes(), condition.ssa,
                              /*addThenBlock=*/false, /*addElseBlock=*/false);
  bool needsElse = !elseValues.empty() || !elseRegion.front().empty();
  op.getThenRegion().takeBody(thenRegion);
  mlir::OpBuilder::InsertionGuard guard(tb.builder);
  tb.builder.setInsertionPointToEnd(&op.getThenRegion().front());
  scf::YieldOp::create(tb.builder, tb.loc(), thenValues);
  if (needsElse) {
    op.getElseRegion().takeBody(elseRegion);
    tb.builder.setInsertionPointToEnd(&op.getElseRegion().front());
    scf::YieldOp::create(tb.builder, tb.loc(), elseValues);
  }
  return op.getResults();
}

KernelBuilder::Flow KernelBuilder::dynamicIf(const IfStmt *stmt, const Value &condition) {
  NameSet names;
  collectAssigned(stmt->body, names);
  collectAssigned(stmt->orElse, names);
  auto snapshot = [&] {
    llvm::SmallVector<Value> values;
    for (StringRef name : names)
      values.push_back(frame->locals.lookup(name));
    return values;
  };
  llvm::SmallVector<Value> before = snapshot();
  auto restore = [&] {
    for (size_t i = 0; i < names.size(); ++i)
      if (before[i])
        frame->locals[names[i]] = before[i];
      else
        frame->locals.erase(names[i]);
  };

  mlir::Region thenRegion, elseRegion;
  auto generate = [&](const Body &body, mlir::Region &region) {
    TritonBuilder::Naming naming(tb, {});
    DetachedBlock block(tb.builder);
    Flow flow = sequence(body, nullptr);
    region.takeBody(block.region);
    return flow == Flow::Next;
  };
  if (!generate(stmt->body, thenRegion))
    return Flow::Failed;
  llvm::SmallVector<Value> thenValues = snapshot();
  restore();
  if (!generate(stmt->orElse, elseRegion))
    return Flow::Failed;
  llvm::SmallVector<Value> elseValues = snapshot();

  TritonBuilder::At span(tb, spanOf(stmt));
  llvm::SmallVector<mlir::Value> thenFlat, elseFlat;
  llvm::SmallVector<size_t> yielded;
  for (size_t i = 0; i < names.size(); ++i) {
    Value &left = thenValues[i], &right = elseValues[i];
    if (!left && !right)
      continue;
    if (!left || !right || left.kind == ValueKind::Unavailable ||
        right.kind == ValueKind::Unavailable) {
      frame->locals[names[i]] = Value::unavailable(now.keep(
          "only one branch of the `if` on line " + llvm::Twine(stmt->begin.line) + " assigns it"));
      continue;
    }
    if (left.sameAs(right)) {
      frame->locals[names[i]] = left;
      continue;
    }
    if (!unify(tb, left, right, "Mismatched type for " + names[i],
               {stmt->begin, spanOf(stmt->test).end}))
      return Flow::Failed;
    flatten(left, thenFlat);
    flatten(right, elseFlat);
    yielded.push_back(i);
  }
  mlir::ValueRange results = makeIf(tb, condition, thenRegion, elseRegion, thenFlat, elseFlat);
  size_t next = 0;
  for (size_t i : yielded)
    frame->locals[names[i]] = rebuild(thenValues[i], results, next);
  return Flow::Next;
}

KernelBuilder::Flow KernelBuilder::returningIf(const IfStmt *stmt, const Value &condition,
                                               Statements rest, const Continuation *next) {
  Continuation continuation{rest, next};
  llvm::DenseMap<StringRef, Value> before = frame->locals;
  mlir::Region thenRegion, elseRegion;
  auto generate = [&](const Body &body, mlir::Region &region, Value &result) {
    DetachedBlock block(tb.builder);
    frame->result = Value::none();
    ++frame->continuations;
    Flow flow = sequence(body, &continuation);
    --frame->continuations;
    result = flow == Flow::Returned ? frame->result : Value::none();
    region.takeBody(block.region);
    return flow;
  };
  Value thenResult, elseResult;
  const Flow thenFlow = generate(stmt->body, thenRegion, thenResult);
  if (thenFlow == Flow::Failed)
    return Flow::Failed;
  frame->locals = std::move(before);
  const Flow elseFlow = generate(stmt->orElse, elseRegion, elseResult);
  if (elseFlow == Flow::Failed)
    return Flow::Failed;
  TritonBuilder::At span(tb, spanOf(stmt));
  if (thenFlow != Flow::Returned)
    thenResult = makePoison(tb, elseRegion, elseResult, thenRegion);
  else if (elseFlow != Flow::Returned)
    elseResult = makePoison(tb, thenRegion, thenResult, elseRegion);
  if (!thenResult || !elseResult)
    return Flow::Failed;
  if (!unify(tb, thenResult, elseResult, "Inconsistent return types of " + frame->function->name(),
             {stmt->begin, spanOf(stmt->test).end}))
    return Flow::Failed;
  llvm::SmallVector<mlir::Value> thenFlat, elseFlat;
  flatten(thenResult, thenFlat);
  flatten(elseResult, elseFlat);
  mlir::ValueRange results = makeIf(tb, condition, thenRegion, elseRegion, thenFlat, elseFlat);
  size_t at = 0;
  frame->result = rebuild(thenResult, results, at);
  return Flow::Returned;
}

Value KernelBuilder::choose(const IfExpExpr *expr, Value condition) {
  condition = scalarCondition(tb, expr->test, condition);
  if (!condition)
    return {};
  mlir::Region thenRegion, elseRegion;
  auto generate = [&](const Expr *branch, mlir::Region &region) {
    DetachedBlock block(tb.builder);
    Value value = interpreter.evaluate(branch);
    region.takeBody(block.region);
    return value;
  };
  Value thenValue = generate(expr->body, thenRegion);
  Value elseValue = thenValue ? generate(expr->orElse, elseRegion) : Value();
  if (!elseValue ||
      !unify(tb, thenValue, elseValue,
             "Ternary expression with dynamic condition has inconsistent types", spanOf(expr)))
    return {};
  llvm::SmallVector<mlir::Value> thenFlat, elseFlat;
  flatten(thenValue, thenFlat);
  flatten(elseValue, elseFlat);
  mlir::ValueRange results = makeIf(tb, condition, thenRegion, elseRegion, thenFlat, elseFlat);
  size_t next = 0;
  return rebuild(thenValue, results, next);
}
