//===- Aggregates.cpp - Objects of classes with @aggregate --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An aggregate is a named tuple whose class has methods, and whose __init__ gives the fields their
// values. Like a tuple it does not change once it is made.
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

#include "frontend/interpret/Parameters.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static Value objectOf(std::vector<Value> fields, const TupleClass &tupleClass) {
  Value object = Value::tuple(std::move(fields));
  object.tupleClass = &tupleClass;
  return object;
}

/// The field that `self.x` names; nothing if the expression is something else.
static std::optional<StringRef> fieldOf(const Expr *target, StringRef self) {
  const auto *attribute = target->dynAs<AttributeExpr>();
  const auto *name = attribute ? attribute->value->dynAs<NameExpr>() : nullptr;
  if (!name || StringRef(name->id) != self)
    return std::nullopt;
  return StringRef(attribute->attribute);
}

bool Interpreter::runInitializer(const Body &body, StringRef self, std::vector<Value> &fields,
                                 const TupleClass &tupleClass) {
  Variables &locals = const_cast<Frame *>(now.frame)->locals;
  for (const Stmt *stmt : body) {
    TritonBuilder::At span(tb, spanOf(stmt));
    if (const auto *assign = stmt->dynAs<AssignStmt>()) {
      Value value = evaluate(assign->value);
      if (!value)
        return false;
      for (const Expr *target : assign->targets) {
        std::optional<StringRef> field = fieldOf(target, self);
        if (!field) {
          if (!this->assign(target, value))
            return false;
          continue;
        }
        std::optional<size_t> index = tupleClass.find(*field);
        if (!index)
          return tb.rejectAt(spanOf(target), tupleClass.name + " has no field '" + *field + "'",
                             "its fields are " + llvm::join(tupleClass.fields, ", ") +
                                 "; declare it in the class");
        fields[*index] = value;
        locals[self] = objectOf(fields, tupleClass);
      }
    } else if (const auto *expression = stmt->dynAs<ExprStmt>()) {
      if (!evaluate(expression->value))
        return false;
    } else if (const auto *assertion = stmt->dynAs<AssertStmt>()) {
      if (!constantAssertion(assertion))
        return false;
    } else if (const auto *branch = stmt->dynAs<IfStmt>()) {
      Value test = evaluate(branch->test);
      if (!test)
        return false;
      if (!test.isConstant())
        return tb.rejectAt(spanOf(branch->test),
                           "the condition of an __init__ must be known while compiling, not " +
                               test.describe());
      if (!runInitializer(tb.truth(test) ? branch->body : branch->orElse, self, fields, tupleClass))
        return false;
    } else if (stmt->kind != StmtKind::Pass) {
      refuse(stmt, "this statement", "an __init__ assigns to the fields of its object");
      return false;
    }
  }
  return true;
}

Value Interpreter::makeAggregate(const Value &made, llvm::ArrayRef<GivenArgument> given) {
  const TupleClass &tupleClass = *made.tupleClass;
  const ClassObject &object = *tupleClass.aggregate;
  if (!object.environment->scope->find("__init__"))
    return makeNamedTuple(tupleClass, given);
  const Value initializer = resolver.classes.member(object, "__init__").known;
  if (!initializer)
    return {};
  if (initializer.kind != ValueKind::Function)
    return tb.fail("the __init__ of " + tupleClass.name + " is no function");
  const FunctionObject *function = initializer.function;
  std::vector<Value> fields(tupleClass.fields.size(),
                            Value::unavailable("__init__ has not assigned it yet"));
  llvm::SmallVector<GivenArgument> all{{{}, Value::none(), tb.here()}};
  all.append(given.begin(), given.end());
  llvm::SmallVector<Value> values;
  if (!bindParameters(function, all, values))
    return {};
  llvm::SmallVector<const Parameter *> parameters = parametersOf(function->definition);
  if (parameters.empty())
    return tb.fail("the __init__ of " + tupleClass.name + " has no parameter for the object");
  const SourceSpan call = tb.here();
  Frame frame;
  frame.function = function;
  frame.caller = now.frame;
  for (size_t i = 1; i < parameters.size(); ++i)
    frame.locals[parameters[i]->name] = values[i];
  frame.locals[parameters[0]->name] = objectOf(fields, tupleClass);
  {
    Within within(now, *function->environment, &frame);
    if (!runInitializer(function->definition->body, parameters[0]->name, fields, tupleClass)) {
      now.noteCall(function, call);
      return {};
    }
  }
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].kind == ValueKind::Unavailable)
      return tb.fail("the __init__ of " + tupleClass.name + " does not assign the field '" +
                         tupleClass.fields[i] + "'",
                     "write self." + tupleClass.fields[i] + " = ..");
  return objectOf(std::move(fields), tupleClass);
}

Value Interpreter::aggregateMethod(const Value &aggregate, StringRef name) {
  const TupleClass &tupleClass = *aggregate.tupleClass;
  const Definition *definition = tupleClass.aggregate->environment->scope->find(name);
  if (!definition)
    return tb.fail(tupleClass.name + " has no field and no method '" + name + "'",
                   "its fields are " + llvm::join(tupleClass.fields, ", "));
  Value member = resolver.classes.member(*tupleClass.aggregate, name).known;
  if (member.kind != ValueKind::Function)
    return member;
  const bool isStatic =
      llvm::any_of(member.function->definition->decorators, [](const Expr *decorator) {
        const auto *plain = decorator->dynAs<NameExpr>();
        return plain && plain->id == "staticmethod";
      });
  return isStatic ? member : Value::boundFunction(member.function, aggregate);
}

/// The method of Python's for an operator; empty for the one that Triton does not have.
static StringRef methodFor(BinaryOperator op) {
  switch (op) {
  case BinaryOperator::Add:
    return "__add__";
  case BinaryOperator::Sub:
    return "__sub__";
  case BinaryOperator::Mult:
    return "__mul__";
  case BinaryOperator::MatMult:
    return "";
  case BinaryOperator::Div:
    return "__truediv__";
  case BinaryOperator::Mod:
    return "__mod__";
  case BinaryOperator::Pow:
    return "__pow__";
  case BinaryOperator::LShift:
    return "__lshift__";
  case BinaryOperator::RShift:
    return "__rshift__";
  case BinaryOperator::BitOr:
    return "__or__";
  case BinaryOperator::BitXor:
    return "__xor__";
  case BinaryOperator::BitAnd:
    return "__and__";
  case BinaryOperator::FloorDiv:
    return "__floordiv__";
  }
  llvm_unreachable("an operator of Python's");
}

Value Interpreter::operate(BinaryOperator op, const Value &left, const Value &right) {
  // Where the right side is a tensor, Triton asks that.
  const bool asks = left.isTuple() && left.tupleClass && left.tupleClass->isAggregate &&
                    !right.isTensor() && !methodFor(op).empty();
  if (asks) {
    Value method = aggregateMethod(left, methodFor(op));
    if (!method)
      return {};
    llvm::SmallVector<GivenArgument> given{{{}, left, tb.here()}, {{}, right, tb.here()}};
    const bool isBound = method.kind == ValueKind::Method;
    return callValue(method, llvm::ArrayRef(given).drop_front(isBound ? 0 : 1));
  }
  if (std::optional<Value> result = float2Operator(tb, op, left, right))
    return *result;
  return tb.binary(op, left, right);
}
