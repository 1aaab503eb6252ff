//===- AstDump.cpp - Printing of syntax trees ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/AstDump.h"

#include "frontend/PythonRepr.h"

using namespace tilewright;
using namespace tilewright::frontend;

namespace {

/// Writes nodes as `Type(field=value, ...)`. A field that Python's grammar marks as
/// optional is left out when it is absent.
class Dumper {
public:
  explicit Dumper(bool positions) : positions(positions) {}

  std::string out;

  void open(const char *type) {
    out += type;
    out += '(';
    first = true;
  }
  void close() {
    out += ')';
    first = false;
  }
  template <typename Node> void close(const Node &node) {
    if (positions && inFormatted == 0) {
      number("lineno", node.begin.line);
      number("col_offset", node.begin.column - 1);
      number("end_lineno", node.end.line);
      number("end_col_offset", node.end.column - 1);
    }
    close();
  }
  void key(const char *name) {
    if (!first)
      out += ", ";
    first = false;
    out += name;
    out += '=';
  }
  void number(const char *name, uint64_t value) {
    key(name);
    out += std::to_string(value);
  }
  void word(const char *name, const char *type) {
    key(name);
    out += type;
    out += "()";
  }
  void identifier(const char *name, std::string_view value) {
    key(name);
    out += reprOfString(value);
  }
  void optionalIdentifier(const char *name, std::string_view value) {
    if (!value.empty())
      identifier(name, value);
  }
  void field(const char *name, const Expr *value) {
    key(name);
    expr(value);
  }
  void optional(const char *name, const Expr *value) {
    if (value)
      field(name, value);
  }
  template <typename T, typename Print>
  void list(const char *name, const List<T> &values, Print &&print) {
    key(name);
    out += '[';
    bool separate = false;
    for (const T &value : values) {
      if (separate)
        out += ", ";
      separate = true;
      print(value);
    }
    out += ']';
    first = false;
  }
  void list(const char *name, const Exprs &values) {
    list(name, values, [&](const Expr *value) { expr(value); });
  }
  void list(const char *name, const Body &values) {
    list(name, values, [&](const Stmt *value) { stmt(value); });
  }
  void names(const List<std::string_view> &values) {
    list("names", values, [&](std::string_view value) { out += reprOfString(value); });
  }

  void expr(const Expr *node);
  void stmt(const Stmt *node);

private:
  void constant(const ConstantExpr &node);
  void parameter(const Parameter &node);
  void parameters(const Parameters &node);
  void keyword(const Keyword &node);
  void keywords(const List<Keyword> &values) {
    list("keywords", values, [&](const Keyword &value) { keyword(value); });
  }
  void generators(const List<Comprehension> &values);
  void importNames(const List<ImportName> &values);
  void context(Context value) {
    word("ctx", value == Context::Load ? "Load" : value == Context::Store ? "Store" : "Del");
  }

  bool positions;
  bool first = true;
  unsigned inFormatted = 0;
};

const char *nameOf(BinaryOperator op) {
  constexpr const char *names[] = {"Add",    "Sub",    "Mult",    "MatMult", "Div",
                                   "Mod",    "Pow",    "LShift",  "RShift",  "BitOr",
                                   "BitXor", "BitAnd", "FloorDiv"};
  return names[static_cast<size_t>(op)];
}

const char *nameOf(UnaryOperator op) {
  constexpr const char *names[] = {"Invert", "Not", "UAdd", "USub"};
  return names[static_cast<size_t>(op)];
}

const char *nameOf(CompareOperator op) {
  constexpr const char *names[] = {"Eq",  "NotEq", "Lt",    "LtE", "Gt",
                                   "GtE", "Is",    "IsNot", "In",  "NotIn"};
  return names[static_cast<size_t>(op)];
}

void Dumper::constant(const ConstantExpr &node) {
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

void Dumper::parameter(const Parameter &node) {
  open("arg");
  identifier("arg", node.name);
  optional("annotation", node.annotation);
  close(node);
}

void Dumper::parameters(const Parameters &node) {
  auto one = [&](const Parameter &value) { parameter(value); };
  open("arguments");
  list("posonlyargs", node.positionalOnly, one);
  list("args", node.positional, one);
  if (node.variadic) {
    key("vararg");
    parameter(*node.variadic);
  }
  list("kwonlyargs", node.keywordOnly, one);
  list("kw_defaults", node.keywordDefaults);
  if (node.keywords) {
    key("kwarg");
    parameter(*node.keywords);
  }
  list("defaults", node.defaults);
  close();
}

void Dumper::keyword(const Keyword &node) {
  open("keyword");
  optionalIdentifier("arg", node.name);
  field("value", node.value);
  close(node);
}

void Dumper::generators(const List<Comprehension> &values) {
  list("generators", values, [&](const Comprehension &value) {
    open("comprehension");
    field("target", value.target);
    field("iter", value.iterable);
    list("ifs", value.conditions);
    number("is_async", 0);
    close();
  });
}

void Dumper::importNames(const List<ImportName> &values) {
  list("names", values, [&](const ImportName &value) {
    open("alias");
    identifier("name", value.name);
    optionalIdentifier("asname", value.alias);
    close(value);
  });
}

void Dumper::expr(const Expr *node) {
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
  case ExprKind::UnaryOp: {
    const auto *unaryOp = node->as<UnaryOpExpr>();
    open("UnaryOp");
    word("op", nameOf(unaryOp->op));
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
  case ExprKind::ListComp: {
    const auto *comp = node->as<ListCompExpr>();
    open("ListComp");
    field("elt", comp->element);
    generators(comp->generators);
    break;
  }
  case ExprKind::SetComp: {
    const auto *comp = node->as<SetCompExpr>();
    open("SetComp");
    field("elt", comp->element);
    generators(comp->generators);
    break;
  }
  case ExprKind::GeneratorExp: {
    const auto *comp = node->as<GeneratorExpExpr>();
    open("GeneratorExp");
    field("elt", comp->element);
    generators(comp->generators);
    break;
  }
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
      out += nameOf(op);
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

void Dumper::stmt(const Stmt *node) {
  switch (node->kind) {
  case StmtKind::FunctionDef: {
    const auto *function = node->as<FunctionDefStmt>();
    open("FunctionDef");
    identifier("name", function->name);
    key("args");
    parameters(function->parameters);
    list("body", function->body);
    list("decorator_list", function->decorators);
    optional("returns", function->returns);
    break;
  }
  case StmtKind::ClassDef: {
    const auto *classDef = node->as<ClassDefStmt>();
    open("ClassDef");
    identifier("name", classDef->name);
    list("bases", classDef->bases);
    keywords(classDef->keywords);
    list("body", classDef->body);
    list("decorator_list", classDef->decorators);
    break;
  }
  case StmtKind::Return:
    open("Return");
    optional("value", node->as<ReturnStmt>()->value);
    break;
  case StmtKind::Delete:
    open("Delete");
    list("targets", node->as<DeleteStmt>()->targets);
    break;
  case StmtKind::Assign:
    open("Assign");
    list("targets", node->as<AssignStmt>()->targets);
    field("value", node->as<AssignStmt>()->value);
    break;
  case StmtKind::AugAssign:
    open("AugAssign");
    field("target", node->as<AugAssignStmt>()->target);
    word("op", nameOf(node->as<AugAssignStmt>()->op));
    field("value", node->as<AugAssignStmt>()->value);
    break;
  case StmtKind::AnnAssign: {
    const auto *assign = node->as<AnnAssignStmt>();
    open("AnnAssign");
    field("target", assign->target);
    field("annotation", assign->annotation);
    optional("value", assign->value);
    number("simple", assign->simple ? 1 : 0);
    break;
  }
  case StmtKind::For: {
    const auto *loop = node->as<ForStmt>();
    open("For");
    field("target", loop->target);
    field("iter", loop->iterable);
    list("body", loop->body);
    list("orelse", loop->orElse);
    break;
  }
  case StmtKind::While: {
    const auto *loop = node->as<WhileStmt>();
    open("While");
    field("test", loop->test);
    list("body", loop->body);
    list("orelse", loop->orElse);
    break;
  }
  case StmtKind::If: {
    const auto *branch = node->as<IfStmt>();
    open("If");
    field("test", branch->test);
    list("body", branch->body);
    list("orelse", branch->orElse);
    break;
  }
  case StmtKind::With: {
    const auto *with = node->as<WithStmt>();
    open("With");
    list("items", with->items, [&](const WithItem &item) {
      open("withitem");
      field("context_expr", item.context);
      optional("optional_vars", item.target);
      close();
    });
    list("body", with->body);
    break;
  }
  case StmtKind::Raise:
    open("Raise");
    optional("exc", node->as<RaiseStmt>()->exception);
    optional("cause", node->as<RaiseStmt>()->cause);
    break;
  case StmtKind::Try: {
    const auto *attempt = node->as<TryStmt>();
    open("Try");
    list("body", attempt->body);
    list("handlers", attempt->handlers, [&](const ExceptHandler &handler) {
      open("ExceptHandler");
      optional("type", handler.type);
      optionalIdentifier("name", handler.name);
      list("body", handler.body);
      close(handler);
    });
    list("orelse", attempt->orElse);
    list("finalbody", attempt->finalBody);
    break;
  }
  case StmtKind::Assert:
    open("Assert");
    field("test", node->as<AssertStmt>()->test);
    optional("msg", node->as<AssertStmt>()->message);
    break;
  case StmtKind::Import:
    open("Import");
    importNames(node->as<ImportStmt>()->names);
    break;
  case StmtKind::ImportFrom:
    open("ImportFrom");
    optionalIdentifier("module", node->as<ImportFromStmt>()->module);
    importNames(node->as<ImportFromStmt>()->names);
    number("level", node->as<ImportFromStmt>()->level);
    break;
  case StmtKind::Global:
    open("Global");
    names(node->as<GlobalStmt>()->names);
    break;
  case StmtKind::Nonlocal:
    open("Nonlocal");
    names(node->as<NonlocalStmt>()->names);
    break;
  case StmtKind::Expr:
    open("Expr");
    field("value", node->as<frontend::ExprStmt>()->value);
    break;
  case StmtKind::Pass:
    open("Pass");
    break;
  case StmtKind::Break:
    open("Break");
    break;
  case StmtKind::Continue:
    open("Continue");
    break;
  }
  close(*node);
}

} // namespace

std::string frontend::dump(const Module &module, bool positions) {
  Dumper dumper(positions);
  dumper.open("Module");
  dumper.list("body", module.body);
  dumper.key("type_ignores");
  dumper.out += "[]";
  dumper.close();
  return std::move(dumper.out);
}
