//===- Loops.cpp - Code generation for loops ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/KernelBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;
namespace scf = mlir::scf;

/// More copies of a body than this are a mistake.
static constexpr int64_t maxUnrolled = 4096;

//===--------------------------------------------------------------------------===//
// Variables that a loop carries
//===--------------------------------------------------------------------------===//

bool KernelBuilder::carriedBy(const Stmt *loop, const Body &body, const Expr *target,
                              Carried &carried) {
  NameSet assigned, targets;
  collectAssigned(body, assigned);
  if (target)
    collectTargets(target, targets);
  for (StringRef name : assigned) {
    if (targets.contains(name))
      continue;
    Value value = frame->locals.lookup(name);
    // What is no number or tensor must stay as it is; yieldCarried checks that.
    if (!value || value.kind == ValueKind::Unavailable)
      continue;
    value = variableOf(tb, value);
    if (!value)
      return false;
    carried.names.push_back(name);
    carried.initial.push_back(value);
    flatten(value, carried.flat);
  }
  return true;
}

void KernelBuilder::setCarried(const Carried &carried, mlir::ValueRange values) {
  size_t next = 0;
  for (size_t i = 0; i < carried.names.size(); ++i)
    frame->locals[carried.names[i]] = rebuild(carried.initial[i], values, next);
}

/// Whether two values have the same structure and types.
static bool sameType(const Value &a, const Value &b) {
  if (a.isBlockPointer() && b.isBlockPointer())
    return a.type == b.type && a.blockShape() == b.blockShape();
  if (a.isTuple() && b.isTuple() && a.elements->size() == b.elements->size()) {
    // A field of an aggregate may hold a product that is under way where it held a tensor, as in
    // Triton.
    auto isHeld = [](const Value &value) { return value.isBlock() || value.isAccumulator(); };
    const bool isAggregate = a.tupleClass && a.tupleClass->isAggregate;
    for (size_t i = 0; i < a.elements->size(); ++i)
      if (isAggregate && isHeld((*a.elements)[i]) && isHeld((*b.elements)[i])) {
        if ((*a.elements)[i].ssa.getType() != (*b.elements)[i].ssa.getType())
          return false;
      } else if (!sameType((*a.elements)[i], (*b.elements)[i]))
        return false;
    return true;
  }
  if ((a.isSingle() && a.kind == b.kind) || (a.isDescriptor() && b.isDescriptor()))
    return a.type == b.type && a.ssa.getType() == b.ssa.getType();
  return a.sameAs(b);
}

bool KernelBuilder::loopBody(const Stmt *loop, const Body &body, const Carried &carried,
                             llvm::SmallVectorImpl<mlir::Value> &yielded) {
  const Stmt *outer = frame->loop;
  frame->loop = loop;
  Flow flow = sequence(body, nullptr);
  frame->loop = outer;
  return flow == Flow::Next && yieldCarried(loop, carried, yielded);
}

bool KernelBuilder::yieldCarried(const Stmt *loop, const Carried &carried,
                                 llvm::SmallVectorImpl<mlir::Value> &values) {
  for (size_t i = 0; i < carried.names.size(); ++i) {
    StringRef name = carried.names[i];
    const Value &before = carried.initial[i];
    Value after = variableOf(tb, frame->locals.lookup(name));
    if (!after)
      return false;
    if (!sameType(before, after)) {
      std::string remedy = "convert it before the end of the body, or start with the other type";
      if (after.isBlock() && !before.isBlock() && !after.type.isPointer())
        remedy = "start with a tensor: " + name.str() + " = tl.zeros(" +
                 describeShape(after.shape()) + ", tl." + languageName(after.type.scalar).str() +
                 ")";
      Position end = loop->begin;
      end.column += loop->kind == StmtKind::For ? 3 : 5;
      return tb.rejectAt({loop->begin, end},
                         "the loop changes the type of '" + name + "': it is " + before.describe() +
                             " before the loop and " + after.describe() + " at the end of its body",
                         remedy);
    }
    flatten(after, values);
  }
  return true;
}

void KernelBuilder::forgetAssigned(const Stmt *loop, const NameSet &assigned,
                                   const llvm::DenseMap<StringRef, Value> &before) {
  for (StringRef name : assigned) {
    Value value = before.lookup(name);
    if (!value || value.kind == ValueKind::Unavailable)
      value = Value::unavailable(
          now.keep("only the loop on line " + llvm::Twine(loop->begin.line) + " assigns it"));
    frame->locals[name] = value;
  }
}

//===--------------------------------------------------------------------------===//
// for
//===--------------------------------------------------------------------------===//

KernelBuilder::Flow KernelBuilder::forLoop(const ForStmt *stmt) {
  auto fail = [&](const Expr *at, const llvm::Twine &message, const llvm::Twine &remedy) {
    tb.failAt(spanOf(at), message, remedy);
    return Flow::Failed;
  };
  const auto *call = stmt->iterable->dynAs<CallExpr>();
  Value callee = call ? interpreter.evaluate(call->function) : Value();
  if (call && !callee)
    return Flow::Failed;
  if (callee.kind != ValueKind::Builtin || !(callee.builtin->flags & Range))
    return fail(
        stmt->iterable, "a `for` can run over range, tl.range and tl.static_range only",
        "write `for i in range(..)`, or for a tuple `for i in tl.static_range(len(xs))` and "
        "xs[i]");
  if (stmt->target->kind != ExprKind::Name)
    return fail(stmt->target, "the variable of a `for` must be one name",
                "take what it counts apart in the body");
  TritonBuilder::At span(tb, spanOf(stmt->iterable));
  llvm::SmallVector<GivenArgument> given;
  Arguments range(tb, *callee.builtin);
  const bool isPythons = callee.builtin == findPythonBuiltin("range");
  if (!interpreter.evaluateArguments(call, given) || (isPythons && !dropRangeHints(tb, given)) ||
      !range.bind(given))
    return Flow::Failed;
  Flow flow =
      callee.builtin->name == "static_range" ? unrolledFor(stmt, range) : dynamicFor(stmt, range);
  // Without `break`, the else branch always follows.
  return flow == Flow::Next ? sequence(stmt->orElse, nullptr) : flow;
}

KernelBuilder::Flow KernelBuilder::unrolledFor(const ForStmt *stmt, const Arguments &range) {
  std::optional<int64_t> bounds[3] = {0, 0, 1};
  bool both = range.given(1);
  if (both)
    bounds[0] = range.integer(0);
  bounds[1] = bounds[0] ? range.integer(both ? 1 : 0) : std::nullopt;
  if (bounds[1] && range.given(2))
    bounds[2] = range.integer(2);
  if (!bounds[1] || !bounds[2])
    return Flow::Failed;
  Integer lower = *bounds[0], upper = *bounds[1], step = *bounds[2];
  if (step == 0) {
    range.fail(2, "is zero");
    return Flow::Failed;
  }
  Integer count = step > 0 ? (upper - lower + step - 1) / step : (lower - upper - step - 1) / -step;
  if (count > maxUnrolled) {
    tb.fail("tl.static_range would unroll to " + Value::ofInteger(count).repr() + " copies",
            "use range");
    return Flow::Failed;
  }
  const Stmt *outer = frame->loop;
  frame->loop = stmt;
  Flow flow = Flow::Next;
  for (Integer i = 0; i < count && flow == Flow::Next; ++i) {
    frame->locals[StringRef(stmt->target->as<NameExpr>()->id)] = Value::ofInteger(lower + i * step);
    flow = sequence(stmt->body, nullptr);
  }
  frame->loop = outer;
  return flow;
}

KernelBuilder::Flow KernelBuilder::dynamicFor(const ForStmt *stmt, const Arguments &range) {
  std::optional<LoopBounds> bounds = loopBounds(tb, range);
  Carried carried;
  if (!bounds || !carriedBy(stmt, stmt->body, stmt->target, carried))
    return Flow::Failed;
  // A loop of one variable is named after it.
  TritonBuilder::Naming naming(tb, carried.names.size() == 1 ? carried.names.front() : StringRef());
  TritonBuilder::At span(tb, spanOf(stmt));
  auto loop = scf::ForOp::create(tb.builder, tb.loc(), bounds->lower.ssa, bounds->upper.ssa,
                                 bounds->step.ssa, mlir::ValueRange(carried.flat), nullptr,
                                 bounds->type.isUnsigned());
  TritonBuilder::Naming unnamed(tb, {});
  if (!setLoopHints(loop, range))
    return Flow::Failed;

  StringRef target(stmt->target->as<NameExpr>()->id);
  mlir::Block *body = loop.getBody();
  body->getArgument(0).setLoc(tb.locationOf(stmt->target->begin, target));
  llvm::DenseMap<StringRef, Value> before = frame->locals;
  {
    mlir::OpBuilder::InsertionGuard guard(tb.builder);
    if (carried.flat.empty())
      tb.builder.setInsertionPoint(body->getTerminator());
    else
      tb.builder.setInsertionPointToEnd(body);
    setCarried(carried, loop.getRegionIterArgs());
    Value counter = Value::tensor(loop.getInductionVar(), bounds->type);
    if (bounds->countsDown) {
      counter = tb.binary(BinaryOperator::Sub, bounds->upper, counter);
      counter = tb.binary(BinaryOperator::Add, counter, bounds->lower);
    }
    frame->locals[target] = counter;
    llvm::SmallVector<mlir::Value> yielded;
    if (!loopBody(stmt, stmt->body, carried, yielded))
      return Flow::Failed;
    if (!carried.flat.empty())
      scf::YieldOp::create(tb.builder, tb.loc(), yielded);
  }
  NameSet assigned;
  collectAssigned(stmt->body, assigned);
  forgetAssigned(stmt, assigned, before);
  setCarried(carried, loop.getResults());
  frame->locals[target] = counterAfter(now, stmt, *bounds, before.lookup(target));
  return Flow::Next;
}

//===--------------------------------------------------------------------------===//
// while
//===--------------------------------------------------------------------------===//

Value KernelBuilder::whileCondition(const Expr *test, bool &disableLicm) {
  const auto *call = test->dynAs<CallExpr>();
  const auto *attribute = call ? call->function->dynAs<AttributeExpr>() : nullptr;
  bool named = call && (call->function->kind == ExprKind::Name ||
                        (attribute && attribute->attribute == "condition"));
  Value callee = named ? interpreter.evaluate(call->function) : Value();
  if (named && !callee)
    return {};
  if (callee.kind != ValueKind::Builtin || callee.builtin->name != "condition")
    return interpreter.evaluate(test);
  TritonBuilder::At span(tb, spanOf(test));
  llvm::SmallVector<GivenArgument> given;
  Arguments arguments(tb, *callee.builtin);
  if (!interpreter.evaluateArguments(call, given) || !arguments.bind(given))
    return {};
  std::optional<bool> flag = arguments.flag(1, false);
  if (!flag)
    return {};
  disableLicm = *flag;
  return arguments[0];
}

KernelBuilder::Flow KernelBuilder::whileLoop(const WhileStmt *stmt) {
  Carried carried;
  TritonBuilder::At span(tb, spanOf(stmt));
  if (!carriedBy(stmt, stmt->body, nullptr, carried))
    return Flow::Failed;
  mlir::ValueRange inits(carried.flat);
  auto loop = scf::WhileOp::create(tb.builder, tb.loc(), inits.getTypes(), inits);
  llvm::SmallVector<mlir::Location> locations(inits.size(), tb.loc());
  llvm::DenseMap<StringRef, Value> before = frame->locals;
  {
    mlir::OpBuilder::InsertionGuard guard(tb.builder);
    mlir::Block *test = tb.builder.createBlock(&loop.getBefore(), {}, inits.getTypes(), locations);
    setCarried(carried, test->getArguments());
    bool disableLicm = false;
    Value condition = whileCondition(stmt->test, disableLicm);
    if (!condition)
      return Flow::Failed;
    if (disableLicm)
      forbidHoisting(loop);
    if (!condition.isTensor()) {
      if (tb.truth(condition)) {
        tb.failAt(spanOf(stmt->test), "this loop never ends: its condition is a constant",
                  "`break` is not supported; compute the condition in the loop");
        return Flow::Failed;
      }
    }
    condition = scalarCondition(tb, stmt->test, condition);
    if (!condition)
      return Flow::Failed;
    scf::ConditionOp::create(tb.builder, tb.loc(), condition.ssa, test->getArguments());

    mlir::Block *body = tb.builder.createBlock(&loop.getAfter(), {}, inits.getTypes(), locations);
    setCarried(carried, body->getArguments());
    llvm::SmallVector<mlir::Value> yielded;
    if (!loopBody(stmt, stmt->body, carried, yielded))
      return Flow::Failed;
    scf::YieldOp::create(tb.builder, tb.loc(), yielded);
  }
  NameSet assigned;
  collectAssigned(stmt->body, assigned);
  forgetAssigned(stmt, assigned, before);
  setCarried(carried, loop.getResults());
  return sequence(stmt->orElse, nullptr);
}
