//===- AstDumper.h - The writer of AstDump --------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_ASTDUMPER_H
#define TILEWRIGHT_FRONTEND_SYNTAX_ASTDUMPER_H

#include "frontend/syntax/Ast.h"
#include "frontend/syntax/PythonRepr.h"

#include <string>

namespace tilewright::frontend {

/// Writes nodes as `Type(field=value, ...)`. A field that Python's grammar marks as
/// optional is left out when it is absent.
class AstDumper {
public:
  explicit AstDumper(bool positions) : positions(positions) {}

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
  void names(const char *name, const List<std::string_view> &values) {
    list(name, values, [&](std::string_view value) { out += reprOfString(value); });
  }

  void expr(const Expr *node);
  void stmt(const Stmt *node);

private:
  static const char *nameOf(BinaryOperator op);
  void constant(const ConstantExpr &node);
  void parameter(const Parameter &node);
  void parameters(const Parameters &node);
  void pattern(const Pattern &node);
  void keyword(const Keyword &node);
  void keywords(const List<Keyword> &values) {
    list("keywords", values, [&](const Keyword &value) { keyword(value); });
  }
  void generators(const List<Comprehension> &values);
  /// A comprehension that makes single elements.
  template <typename Node> void comprehension(const char *type, const Node &node) {
    open(type);
    field("elt", node.element);
    generators(node.generators);
  }
  void importNames(const List<ImportName> &values);
  void context(Context value) {
    word("ctx", value == Context::Load ? "Load" : value == Context::Store ? "Store" : "Del");
  }

  bool positions;
  bool first = true;
  unsigned inFormatted = 0;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_SYNTAX_ASTDUMPER_H
