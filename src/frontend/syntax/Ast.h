//===- Ast.h - The syntax tree of Python source ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The node types are those of Python's own abstract grammar (the `ast` module's page
// in the Python 3.11 library reference), with the same names and fields, so that a
// tree can be compared with CPython's. Nodes live in an arena and never change after
// the parser has made them; strings point into the source text or into the arena.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_AST_H
#define TILEWRIGHT_FRONTEND_SYNTAX_AST_H

#include "frontend/syntax/Arena.h"

#include <cassert>
#include <cstdint>
#include <string_view>

namespace tilewright::frontend {

/// A place in the source: both count from 1; a column counts bytes.
struct Position {
  uint32_t line = 0;
  uint32_t column = 0;
};

enum class ExprKind : uint8_t {
  BoolOp,
  NamedExpr,
  BinOp,
  UnaryOp,
  Lambda,
  IfExp,
  Dict,
  Set,
  ListComp,
  SetComp,
  DictComp,
  GeneratorExp,
  Yield,
  YieldFrom,
  Await,
  Compare,
  Call,
  FormattedValue,
  JoinedStr,
  Constant,
  Attribute,
  Subscript,
  Starred,
  Name,
  List,
  Tuple,
  Slice,
};

enum class StmtKind : uint8_t {
  FunctionDef,
  ClassDef,
  Return,
  Delete,
  Assign,
  AugAssign,
  AnnAssign,
  For,
  While,
  If,
  With,
  Raise,
  Try,
  Match,
  Assert,
  Import,
  ImportFrom,
  Global,
  Nonlocal,
  Expr,
  Pass,
  Break,
  Continue,
};

enum class BoolOperator : uint8_t { And, Or };

enum class BinaryOperator : uint8_t {
  Add,
  Sub,
  Mult,
  MatMult,
  Div,
  Mod,
  Pow,
  LShift,
  RShift,
  BitOr,
  BitXor,
  BitAnd,
  FloorDiv,
};

enum class UnaryOperator : uint8_t { Invert, Not, UAdd, USub };

enum class CompareOperator : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };

/// How an expression is used: read, assigned to, deleted.
enum class Context : uint8_t { Load, Store, Del };

struct Expr {
  ExprKind kind;
  Context context = Context::Load;
  /// The longest way down to a leaf, so that walks of the tree have a bounded depth.
  uint16_t height = 1;
  Position begin;
  Position end;

  template <typename T> const T *as() const {
    assert(kind == T::Kind);
    return static_cast<const T *>(this);
  }
  template <typename T> const T *dynAs() const {
    return kind == T::Kind ? static_cast<const T *>(this) : nullptr;
  }

protected:
  explicit Expr(ExprKind kind) : kind(kind) {}
};

struct Stmt {
  StmtKind kind;
  Position begin;
  Position end;

  template <typename T> const T *as() const {
    assert(kind == T::Kind);
    return static_cast<const T *>(this);
  }
  template <typename T> const T *dynAs() const {
    return kind == T::Kind ? static_cast<const T *>(this) : nullptr;
  }

protected:
  explicit Stmt(StmtKind kind) : kind(kind) {}
};

using Exprs = List<Expr *>;
using Body = List<Stmt *>;

/// Gives a node type its kind and its constructor.
#define TILEWRIGHT_EXPR_NODE(NAME)                                                                 \
  static constexpr ExprKind Kind = ExprKind::NAME;                                                 \
  NAME##Expr() : Expr(Kind) {}
#define TILEWRIGHT_STMT_NODE(NAME)                                                                 \
  static constexpr StmtKind Kind = StmtKind::NAME;                                                 \
  NAME##Stmt() : Stmt(Kind) {}

//===--------------------------------------------------------------------------===//
// Parts of expressions and statements
//===--------------------------------------------------------------------------===//

/// A parameter of a function.
struct Parameter {
  std::string_view name;
  Expr *annotation = nullptr;
  Position begin;
  Position end;
};

/// The parameters of a function. `defaults` belong to the last of the positional ones;
/// `keywordDefaults` has one entry for each keyword-only one, null where it has none.
struct Parameters {
  List<Parameter> positionalOnly;
  List<Parameter> positional;
  const Parameter *variadic = nullptr;
  List<Parameter> keywordOnly;
  Exprs keywordDefaults;
  const Parameter *keywords = nullptr;
  Exprs defaults;
};

/// `name=value` in a call; the name is empty for `**value`.
struct Keyword {
  std::string_view name;
  Expr *value = nullptr;
  Position begin;
  Position end;
};

/// `for target in iterable if condition ...` inside a comprehension.
struct Comprehension {
  bool isAsync = false;
  Expr *target = nullptr;
  Expr *iterable = nullptr;
  Exprs conditions;
};

/// `name as alias` of an import.
struct ImportName {
  std::string_view name;
  std::string_view alias;
  Position begin;
  Position end;
};

struct WithItem {
  Expr *context = nullptr;
  Expr *target = nullptr;
};

struct ExceptHandler {
  Expr *type = nullptr;
  std::string_view name;
  Body body;
  Position begin;
  Position end;
};

enum class PatternKind : uint8_t { Value, Singleton, Sequence, Mapping, Class, Star, As, Or };

/// The pattern of a case of a match statement; Python's tree has a node type for each kind.
struct Pattern {
  PatternKind kind;
  Position begin;
  Position end;
  /// Value: what is compared. Singleton: None, True or False. Class: the class.
  Expr *value = nullptr;
  /// Sequence, Or: the parts. Mapping: those of the keys. Class: the positional ones. As: the one
  /// that is named, if there is one.
  List<Pattern *> patterns;
  /// Mapping.
  Exprs keys;
  /// Class: the attributes that are named, and what each has to match.
  List<std::string_view> attributes;
  List<Pattern *> attributePatterns;
  /// As, Star, and the rest of a Mapping: the name that is bound; empty for `_` and for none.
  std::string_view name;
};

struct MatchCase {
  Pattern *pattern = nullptr;
  Expr *guard = nullptr;
  Body body;
};

//===--------------------------------------------------------------------------===//
// Expressions
//===--------------------------------------------------------------------------===//

struct BoolOpExpr : Expr {
  TILEWRIGHT_EXPR_NODE(BoolOp)
  BoolOperator op = BoolOperator::And;
  Exprs values;
};

struct NamedExprExpr : Expr {
  TILEWRIGHT_EXPR_NODE(NamedExpr)
  Expr *target = nullptr;
  Expr *value = nullptr;
};

struct BinOpExpr : Expr {
  TILEWRIGHT_EXPR_NODE(BinOp)
  BinaryOperator op = BinaryOperator::Add;
  /// The source range of the operator's sign.
  Position operatorAt;
  Expr *left = nullptr;
  Expr *right = nullptr;
};

struct UnaryOpExpr : Expr {
  TILEWRIGHT_EXPR_NODE(UnaryOp)
  UnaryOperator op = UnaryOperator::Not;
  Expr *operand = nullptr;
};

struct LambdaExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Lambda)
  Parameters parameters;
  Expr *body = nullptr;
};

struct IfExpExpr : Expr {
  TILEWRIGHT_EXPR_NODE(IfExp)
  Expr *test = nullptr;
  Expr *body = nullptr;
  Expr *orElse = nullptr;
};

/// A null key stands for `**value`.
struct DictExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Dict)
  Exprs keys;
  Exprs values;
};

struct SetExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Set)
  Exprs elements;
};

struct ListCompExpr : Expr {
  TILEWRIGHT_EXPR_NODE(ListComp)
  Expr *element = nullptr;
  List<Comprehension> generators;
};

struct SetCompExpr : Expr {
  TILEWRIGHT_EXPR_NODE(SetComp)
  Expr *element = nullptr;
  List<Comprehension> generators;
};

struct GeneratorExpExpr : Expr {
  TILEWRIGHT_EXPR_NODE(GeneratorExp)
  Expr *element = nullptr;
  List<Comprehension> generators;
};

struct DictCompExpr : Expr {
  TILEWRIGHT_EXPR_NODE(DictComp)
  Expr *key = nullptr;
  Expr *value = nullptr;
  List<Comprehension> generators;
};

struct YieldExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Yield)
  Expr *value = nullptr;
};

struct YieldFromExpr : Expr {
  TILEWRIGHT_EXPR_NODE(YieldFrom)
  Expr *value = nullptr;
};

struct AwaitExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Await)
  Expr *value = nullptr;
};

struct CompareExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Compare)
  Expr *left = nullptr;
  List<CompareOperator> ops;
  Exprs comparators;
};

struct CallExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Call)
  Expr *function = nullptr;
  Exprs arguments;
  List<Keyword> keywords;
};

/// `{value!conversion:format}` inside an f-string; the conversion is 's', 'r', 'a' or 0.
struct FormattedValueExpr : Expr {
  TILEWRIGHT_EXPR_NODE(FormattedValue)
  Expr *value = nullptr;
  char conversion = 0;
  Expr *format = nullptr;
};

struct JoinedStrExpr : Expr {
  TILEWRIGHT_EXPR_NODE(JoinedStr)
  Exprs values;
};

enum class ConstantKind : uint8_t {
  None,
  True,
  False,
  Ellipsis,
  Integer,
  Float,
  Imaginary,
  String,
  Bytes
};

struct ConstantExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Constant)
  ConstantKind constant = ConstantKind::None;
  /// The literal was written u"...".
  bool unicodePrefix = false;
  /// An integer that 64 bits cannot hold: `text` has its digits as written.
  bool wide = false;
  /// An integer's value.
  uint64_t integer = 0;
  /// The value of a float or of an imaginary number.
  double number = 0;
  /// A string's UTF-8 text or bytes, escapes resolved; a wide integer's digits.
  std::string_view text;
};

struct AttributeExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Attribute)
  Expr *value = nullptr;
  std::string_view attribute;
  /// The source range of the attribute's name.
  Position nameAt;
};

struct SubscriptExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Subscript)
  Expr *value = nullptr;
  Expr *slice = nullptr;
};

struct StarredExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Starred)
  Expr *value = nullptr;
};

struct NameExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Name)
  std::string_view id;
};

struct ListExpr : Expr {
  TILEWRIGHT_EXPR_NODE(List)
  Exprs elements;
};

struct TupleExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Tuple)
  Exprs elements;
};

struct SliceExpr : Expr {
  TILEWRIGHT_EXPR_NODE(Slice)
  Expr *lower = nullptr;
  Expr *upper = nullptr;
  Expr *step = nullptr;
};

//===--------------------------------------------------------------------------===//
// Statements
//===--------------------------------------------------------------------------===//

struct FunctionDefStmt : Stmt {
  TILEWRIGHT_STMT_NODE(FunctionDef)
  /// `async def`: AsyncFunctionDef in Python's tree. Likewise AsyncFor and AsyncWith.
  bool isAsync = false;
  std::string_view name;
  Position nameAt;
  Parameters parameters;
  Body body;
  Exprs decorators;
  Expr *returns = nullptr;
};

struct ClassDefStmt : Stmt {
  TILEWRIGHT_STMT_NODE(ClassDef)
  std::string_view name;
  Exprs bases;
  List<Keyword> keywords;
  Body body;
  Exprs decorators;
};

struct ReturnStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Return)
  Expr *value = nullptr;
};

struct DeleteStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Delete)
  Exprs targets;
};

struct AssignStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Assign)
  Exprs targets;
  Expr *value = nullptr;
};

struct AugAssignStmt : Stmt {
  TILEWRIGHT_STMT_NODE(AugAssign)
  Expr *target = nullptr;
  BinaryOperator op = BinaryOperator::Add;
  Position operatorAt;
  Expr *value = nullptr;
};

struct AnnAssignStmt : Stmt {
  TILEWRIGHT_STMT_NODE(AnnAssign)
  Expr *target = nullptr;
  Expr *annotation = nullptr;
  Expr *value = nullptr;
  /// The target is a name without parentheses.
  bool simple = false;
};

struct ForStmt : Stmt {
  TILEWRIGHT_STMT_NODE(For)
  bool isAsync = false;
  Expr *target = nullptr;
  Expr *iterable = nullptr;
  Body body;
  Body orElse;
};

struct WhileStmt : Stmt {
  TILEWRIGHT_STMT_NODE(While)
  Expr *test = nullptr;
  Body body;
  Body orElse;
};

/// An `elif` is an if statement alone in `orElse`, as in Python's tree.
struct IfStmt : Stmt {
  TILEWRIGHT_STMT_NODE(If)
  Expr *test = nullptr;
  Body body;
  Body orElse;
};

struct WithStmt : Stmt {
  TILEWRIGHT_STMT_NODE(With)
  bool isAsync = false;
  List<WithItem> items;
  Body body;
};

struct RaiseStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Raise)
  Expr *exception = nullptr;
  Expr *cause = nullptr;
};

struct TryStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Try)
  /// Its handlers are `except*`: TryStar in Python's tree.
  bool isStar = false;
  Body body;
  List<ExceptHandler> handlers;
  Body orElse;
  Body finalBody;
};

struct MatchStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Match)
  Expr *subject = nullptr;
  List<MatchCase> cases;
};

struct AssertStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Assert)
  Expr *test = nullptr;
  Expr *message = nullptr;
};

struct ImportStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Import)
  List<ImportName> names;
};

struct ImportFromStmt : Stmt {
  TILEWRIGHT_STMT_NODE(ImportFrom)
  std::string_view module;
  List<ImportName> names;
  /// How many dots stand before the module's name.
  uint32_t level = 0;
};

struct GlobalStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Global)
  List<std::string_view> names;
};

struct NonlocalStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Nonlocal)
  List<std::string_view> names;
};

struct ExprStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Expr)
  Expr *value = nullptr;
};

struct PassStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Pass)
};

struct BreakStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Break)
};

struct ContinueStmt : Stmt {
  TILEWRIGHT_STMT_NODE(Continue)
};

#undef TILEWRIGHT_EXPR_NODE
#undef TILEWRIGHT_STMT_NODE

/// A parsed source file.
struct Module {
  Body body;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_SYNTAX_AST_H
