//===- LayoutText.cpp - Layouts that a signature writes out -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/LayoutText.h"

#include "frontend/builtins/Builtins.h"
#include "frontend/names/scope/ParsedModule.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static Value valueOf(TritonBuilder &tb, const Expr *expr);

static Value listOf(TritonBuilder &tb, const Exprs &elements) {
  std::vector<Value> values;
  for (const Expr *element : elements)
    if (!values.emplace_back(valueOf(tb, element)))
      return {};
  return Value::list(std::move(values));
}

static Value callOf(TritonBuilder &tb, const CallExpr *call) {
  const auto *name = call->function->dynAs<NameExpr>();
  const Builtin *builtin = name ? findGluonConstant(name->id) : nullptr;
  if (!builtin)
    return tb.fail("no layout and no type has the name '" + StringRef(name ? name->id : "") + "'");
  llvm::SmallVector<GivenArgument> given;
  for (const Expr *argument : call->arguments)
    given.push_back({{}, valueOf(tb, argument), {}});
  for (const Keyword &keyword : call->keywords)
    given.push_back({keyword.name, valueOf(tb, keyword.value), {}});
  Arguments arguments(tb, *builtin);
  return arguments.bind(given) ? builtin->emit(arguments) : Value();
}

static Value valueOf(TritonBuilder &tb, const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Call:
    return callOf(tb, expr->as<CallExpr>());
  case ExprKind::List:
    return listOf(tb, expr->as<ListExpr>()->elements);
  case ExprKind::Tuple:
    return listOf(tb, expr->as<TupleExpr>()->elements);
  case ExprKind::Constant: {
    const auto *constant = expr->as<ConstantExpr>();
    if (constant->constant == ConstantKind::None)
      return Value::none();
    if (constant->constant == ConstantKind::True || constant->constant == ConstantKind::False)
      return Value::boolean(constant->constant == ConstantKind::True);
    if (constant->constant == ConstantKind::Integer && !constant->wide)
      return Value::ofInteger(constant->integer);
    break;
  }
  case ExprKind::Name:
    if (std::optional<ScalarKind> scalar = scalarOfLanguageName(expr->as<NameExpr>()->id))
      return Value::ofType({*scalar, false});
    break;
  default:
    break;
  }
  return tb.fail("a layout is made of numbers, lists and layouts");
}

Value frontend::layoutOfText(TritonBuilder &tb, StringRef text) {
  TritonBuilder::At at(tb, {{1, 1}, {1, 1}});
  auto parsed = ParsedModule::parse("<signature>", text);
  if (!parsed)
    return tb.fail(parsed.error().message);
  const Body &body = (*parsed)->body();
  const auto *statement = body.size() == 1 ? (*body.begin())->dynAs<ExprStmt>() : nullptr;
  Value value = statement ? valueOf(tb, statement->value) : Value();
  if (value && !value.isLayout() && !value.isBlockType())
    return tb.fail(value.describe() + " is no layout");
  return value;
}
