//===- ControlFlow.cpp - Branches ---------------------------------------------===//
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

#include "frontend/CodeGen.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;
namespace scf = mlir::scf;

Value CodeGen::scalarCondition(const Expr *test, const Value &value) {
  Emitter::At place(emitter, placeOf(test));
  if (value.isBlock()) {
    if (llvm::any_of(value.shape(), [](int64_t size) { return size != 1; }))
      return emitter.fail("a condition must be a scalar, not " + value.describe(),
                          "use tl.where to choose element by element");
    return emitter.toBool(emitter.onlyElement(value));
  }
  if (!value.isTensor() && !value.isNumber())
    return emitter.fail("a condition must be a number, not " + value.describe());
  return emitter.toBool(value);
}

bool CodeGen::unify(Value &left, Value &right, const llvm::Twine &what, Place place) {
  if (left.sameAs(right))
    return true;
  if (left.isTuple() && right.isTuple() && left.elements->size() == right.elements->size()) {
    std::vector<Value> a = *left.elements, b = *right.elements;
    for (size_t i = 0; i < a.size(); ++i)
      if (!unify(a[i], b[i], what, place))
        return false;
    left = Value::tuple(std::move(a));
    right = Value::tuple(std::move(b));
    return true;
  }
  // A descriptor's tuples are all scalars of the same types.
  if (left.isDescriptor() && right.isDescriptor() && left.ssa.getType() == right.ssa.getType())
    return true;
  auto isRuntime = [](const Value &value) { return value.isNumber() || value.isTensor(); };
  if (isRuntime(left) && isRuntime(right)) {
    // A number takes the type of the other branch where it can.
    if (left.isNumber() && right.isTensor() && !right.isBlock() &&
        (left.isIntegral() || right.type.isFloat()) && !right.type.isPointer())
      left = emitter.constant(left, right.type);
    else if (right.isNumber() && left.isTensor() && !left.isBlock() &&
             (right.isIntegral() || left.type.isFloat()) && !left.type.isPointer())
      right = emitter.constant(right, left.type);
    Value a = emitter.toTensor(left), b = emitter.toTensor(right);
    if (!a || !b)
      return false;
    if (a.type == b.type && a.ssa.getType() == b.ssa.getType()) {
      left = a;
      right = b;
      return true;
    }
  }
  return bool(emitter.failAt(place,
                             what + " is " + left.describe() + " in one branch and " +
                                 right.describe() + " in the other",
                             isRuntime(left) && isRuntime(right)
                                 ? "give it one type and shape in both"
                                 : "only numbers and tensors can depend on a value of the kernel"));
}

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

/// Makes the `if` of two regions that yield these values, and returns its results.
static mlir::ValueRange makeIf(Emitter &emitter, const Value &condition, mlir::Region &thenRegion,
                               mlir::Region &elseRegion, mlir::ValueRange thenValues,
                               mlir::ValueRange elseValues) {
  auto op = scf::IfOp::create(emitter.builder, emitter.loc(), thenValues.getTypes(), condition.ssa,
                              /*addThenBlock=*/false, /*addElseBlock=*/false);
  bool needsElse = !elseValues.empty() || !elseRegion.front().empty();
  op.getThenRegion().takeBody(thenRegion);
  mlir::OpBuilder::InsertionGuard guard(emitter.builder);
  emitter.builder.setInsertionPointToEnd(&op.getThenRegion().front());
  scf::YieldOp::create(emitter.builder, emitter.loc(), thenValues);
  if (needsElse) {
    op.getElseRegion().takeBody(elseRegion);
    emitter.builder.setInsertionPointToEnd(&op.getElseRegion().front());
    scf::YieldOp::create(emitter.builder, emitter.loc(), elseValues);
  }
  return op.getResults();
}

CodeGen::Flow CodeGen::dynamicIf(const IfStmt *stmt, const Value &condition) {
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
    Emitter::Naming naming(emitter, {});
    DetachedBlock block(emitter.builder);
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

  Emitter::At place(emitter, placeOf(stmt));
  llvm::SmallVector<mlir::Value> thenFlat, elseFlat;
  llvm::SmallVector<size_t> yielded;
  for (size_t i = 0; i < names.size(); ++i) {
    Value &left = thenValues[i], &right = elseValues[i];
    if (!left && !right)
      continue;
    if (!left || !right || left.kind == ValueKind::Unavailable ||
        right.kind == ValueKind::Unavailable) {
      frame->locals[names[i]] = Value::unavailable(keep(
          "only one branch of the `if` on line " + llvm::Twine(stmt->begin.line) + " assigns it"));
      continue;
    }
    if (left.sameAs(right)) {
      frame->locals[names[i]] = left;
      continue;
    }
    if (!unify(left, right, "'" + names[i] + "'", {stmt->begin, placeOf(stmt->test).end}))
      return Flow::Failed;
    flatten(left, thenFlat);
    flatten(right, elseFlat);
    yielded.push_back(i);
  }
  mlir::ValueRange results = makeIf(emitter, condition, thenRegion, elseRegion, thenFlat, elseFlat);
  size_t next = 0;
  for (size_t i : yielded)
    frame->locals[names[i]] = rebuild(thenValues[i], results, next);
  return Flow::Next;
}

/// An `if` that may return from the function: each branch takes along what follows, up to
/// the end of the function, so that both end with a return.
CodeGen::Flow CodeGen::returningIf(const IfStmt *stmt, const Value &condition, Statements rest,
                                   const Continuation *next) {
  Continuation continuation{rest, next};
  llvm::DenseMap<StringRef, Value> before = frame->locals;
  mlir::Region thenRegion, elseRegion;
  auto generate = [&](const Body &body, mlir::Region &region, Value &result) {
    DetachedBlock block(emitter.builder);
    frame->result = Value::none();
    ++frame->continuations;
    Flow flow = sequence(body, &continuation);
    --frame->continuations;
    result = flow == Flow::Returned ? frame->result : Value::none();
    region.takeBody(block.region);
    return flow != Flow::Failed;
  };
  Value thenResult, elseResult;
  if (!generate(stmt->body, thenRegion, thenResult))
    return Flow::Failed;
  frame->locals = std::move(before);
  if (!generate(stmt->orElse, elseRegion, elseResult))
    return Flow::Failed;
  Emitter::At place(emitter, placeOf(stmt));
  if (!unify(thenResult, elseResult, "the result of '" + StringRef(frame->function->name) + "'",
             {stmt->begin, placeOf(stmt->test).end}))
    return Flow::Failed;
  llvm::SmallVector<mlir::Value> thenFlat, elseFlat;
  flatten(thenResult, thenFlat);
  flatten(elseResult, elseFlat);
  mlir::ValueRange results = makeIf(emitter, condition, thenRegion, elseRegion, thenFlat, elseFlat);
  size_t at = 0;
  frame->result = rebuild(thenResult, results, at);
  return Flow::Returned;
}

Value CodeGen::conditional(const IfExpExpr *expr) {
  Value condition = evaluate(expr->test);
  if (!condition)
    return {};
  if (!condition.isTensor())
    return evaluate(emitter.truth(condition) ? expr->body : expr->orElse);
  condition = scalarCondition(expr->test, condition);
  if (!condition)
    return {};
  mlir::Region thenRegion, elseRegion;
  auto generate = [&](const Expr *branch, mlir::Region &region) {
    DetachedBlock block(emitter.builder);
    Value value = evaluate(branch);
    region.takeBody(block.region);
    return value;
  };
  Value thenValue = generate(expr->body, thenRegion);
  Value elseValue = thenValue ? generate(expr->orElse, elseRegion) : Value();
  if (!elseValue || !unify(thenValue, elseValue, "the conditional expression", placeOf(expr)))
    return {};
  llvm::SmallVector<mlir::Value> thenFlat, elseFlat;
  flatten(thenValue, thenFlat);
  flatten(elseValue, elseFlat);
  mlir::ValueRange results = makeIf(emitter, condition, thenRegion, elseRegion, thenFlat, elseFlat);
  size_t next = 0;
  return rebuild(thenValue, results, next);
}
