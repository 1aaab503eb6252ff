//===- AstDumpExpressions.cpp - Expressions in the form of ast.dump -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/AstDumper.h"

using namespace tilewright;
using namespace tilewright::frontend;

const char *AstDumper::nameOf(BinaryOperator op) {
  constexpr const char *names[] = {"Add",    "Sub",    "Mult",    "MatMult", "Div",
                                   "Mod",    "Pow",    "LShift",  "RShift",  "BitOr",
                                   "BitXor", "BitAnd", "FloorDiv"};
  return names[static_cast<size_t>(op)];
}

static const char *nameOfUnary(UnaryOperator op) {
  constexpr const char *names[] = {"Invert", "Not", "UAdd", "USub"};
  return names[static_cast<size_t>(op)];
}

static const char *nameOfCompare(CompareOperator op) {
  constexpr const char *names[] = {"Eq",  "NotEq", "Lt",    "LtE", "Gt",
                                   "GtE", "Is",    "IsNot", "In",  "NotIn"};
  return names[static_cast<size_t>(op)];
}

void AstDumper::constant(const ConstantExpr &node) {
  key("value");
  switch (node.constant) {
  case ConstantKind::None:
    out += "None";
    break;
  case ConstantKind::True:
    out += "True";
    break;
  case ConstantKind::False:
    out += "False";
    break;
  case ConstantKind::Ellipsis:
    out += "Ellipsis";
    break;
  case ConstantKind::Integer:
    out += node.wide ? decimalOfInteger(node.text) : std::to_string(node.integer);
    break;
  case ConstantKind::Float:
    out += reprOfFloat(node.number);
    break;
  case ConstantKind::Imaginary: {
    std::string value = reprOfFloat(node.number);
    if (value.ends_with(".0"))
      value.resize(value.size() - 2);
    out += value + "j";
    break;
  }
  case ConstantKind::String:
    out += reprOfString(node.text);
    break;
  case ConstantKind::Bytes:
    out += reprOfBytes(node.text);
    break;
  }
  if (node.unicodePrefix)
    identifier("kind", "u");
}

void AstDumper::generators(const List<Comprehension> &values) {
  list("generators", values, [&](const Comprehension &value) {
    open("comprehension");
    field("target", value.target);
    field("iter", value.iterable);
    list("ifs", value.conditions);
    number("is_async", value.isAsync ? 1 : 0);
    close();
  });
}

void AstDumper::expr(const Expr *node) {
  if (!node) {
    out += "None";
    return;
  }
  switch (node->kind) {
  case ExprKind::BoolOp: {
    const auto *boolOp = node->as<BoolOpExpr>();
    open("BoolOp");
    word("op", boolOp->op == BoolOperator::And ? "And" : "Or");
    list("values", boolOp->values);
    break;
  }
  case ExprKind::NamedExpr: {
    const auto *named = node->as<NamedExprExpr>();
    open("NamedExpr");
    field("target", named->target);
    field("value", named->value);
    break;
  }
  case ExprKind::BinOp: {
    const auto *binOp = node->as<BinOpExpr>();
    open("BinOp");
    field("left", binOp->left);
    word("op", nameOf(binOp->op));
    field("right", binOp->right);
    break;
  }
  case ExprKind::Await:
    open("Await");
    field("value", node->as<AwaitExpr>()->value);
    break;
  case ExprKind::UnaryOp: {
    const auto *unaryOp = node->as<UnaryOpExpr>();
    open("UnaryOp");
    word("op", nameOfUnary(unaryOp->op));
    field("operand", unaryOp->operand);
    break;
  }
  case ExprKind::Lambda: {
    const auto *lambda = node->as<LambdaExpr>();
    open("Lambda");
    key("args");
    parameters(lambda->parameters);
    field("body", lambda->body);
    break;
  }
  case ExprKind::IfExp: {
    const auto *ifExp = node->as<IfExpExpr>();
    open("IfExp");
    field("test", ifExp->test);
    field("body", ifExp->body);
    field("orelse", ifExp->orElse);
    break;
  }
  case ExprKind::Dict: {
    const auto *dict = node->as<DictExpr>();
    open("Dict");
    list("keys", dict->keys);
    list("values", dict->values);
    break;
  }
  case ExprKind::Set:
    open("Set");
    list("elts", node->as<SetExpr>()->elements);
    break;
  case ExprKind::ListComp:
    comprehension("ListComp", *node->as<ListCompExpr>());
    break;
  case ExprKind::SetComp:
    comprehension("SetComp", *node->as<SetCompExpr>());
    break;
  case ExprKind::GeneratorExp:
    comprehension("GeneratorExp", *node->as<GeneratorExpExpr>());
    break;
  case ExprKind::DictComp: {
    const auto *comp = node->as<DictCompExpr>();
    open("DictComp");
    field("key", comp->key);
    field("value", comp->value);
    generators(comp->generators);
    break;
  }
  case ExprKind::Yield:
    open("Yield");
    optional("value", node->as<YieldExpr>()->value);
    break;
  case ExprKind::YieldFrom:
    open("YieldFrom");
    field("value", node->as<YieldFromExpr>()->value);
    break;
  case ExprKind::Compare: {
    const auto *compare = node->as<CompareExpr>();
    open("Compare");
    field("left", compare->left);
    list("ops", compare->ops, [&](CompareOperator op) {
      out += nameOfCompare(op);
      out += "()";
    });
    list("comparators", compare->comparators);
    break;
  }
  case ExprKind::Call: {
    const auto *call = node->as<CallExpr>();
    open("Call");
    field("func", call->function);
    list("args", call->arguments);
    keywords(call->keywords);
    break;
  }
  case ExprKind::FormattedValue: {
    const auto *value = node->as<FormattedValueExpr>();
    open("FormattedValue");
    field("value", value->value);
    key("conversion");
    out += value->conversion ? std::to_string(static_cast<int>(value->conversion)) : "-1";
    optional("format_spec", value->format);
    break;
  }
  case ExprKind::JoinedStr:
    open("JoinedStr");
    ++inFormatted;
    list("values", node->as<JoinedStrExpr>()->values);
    --inFormatted;
    break;
  case ExprKind::Constant:
    open("Constant");
    constant(*node->as<ConstantExpr>());
    break;
  case ExprKind::Attribute:
    open("Attribute");
    field("value", node->as<AttributeExpr>()->value);
    identifier("attr", node->as<AttributeExpr>()->attribute);
    context(node->context);
    break;
  case ExprKind::Subscript:
    open("Subscript");
    field("value", node->as<SubscriptExpr>()->value);
    field("slice", node->as<SubscriptExpr>()->slice);
    context(node->context);
    break;
  case ExprKind::Starred:
    open("Starred");
    field("value", node->as<StarredExpr>()->value);
    context(node->context);
    break;
  case ExprKind::Name:
    open("Name");
    identifier("id", node->as<NameExpr>()->id);
    context(node->context);
    break;
  case ExprKind::List:
    open("List");
    list("elts", node->as<ListExpr>()->elements);
    context(node->context);
    break;
  case ExprKind::Tuple:
    open("Tuple");
    list("elts", node->as<TupleExpr>()->elements);
    context(node->context);
    break;
  case ExprKind::Slice: {
    const auto *slice = node->as<SliceExpr>();
    open("Slice");
    optional("lower", slice->lower);
    optional("upper", slice->upper);
    optional("step", slice->step);
    break;
  }
  }
  close(*node);
}
