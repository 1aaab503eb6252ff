//===- ParserImpl.h - The recursive-descent parser ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One function a rule of the grammar in the Python 3.11 language reference. A function
// that fails has recorded why and returns null (or false); its callers do the same.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_PARSERIMPL_H
#define TILEWRIGHT_FRONTEND_SYNTAX_PARSERIMPL_H

#include "frontend/syntax/Ast.h"
#include "frontend/syntax/Token.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::frontend {

/// Whether a token ends a list in brackets, or a tuple without any.
bool endsList(TokenKind kind);

class Parser {
public:
  /// `error` is the lexer's, to be reported if the parser comes to its Error token.
  Parser(std::string_view source, std::vector<Token> tokens, SyntaxError lexerError, Arena &arena)
      : source(source), tokens(std::move(tokens)), lexerError(std::move(lexerError)), arena(arena) {
  }

  const Module *module();
  /// The whole of the tokens as the expression of an f-string's field.
  Expr *formattedExpression();

  const SyntaxError &error() const { return failure; }

private:
  static constexpr unsigned maxDepth = 200;
  static constexpr unsigned maxHeight = 400;

  /// Counts one level of nesting while it lives.
  class Nesting {
  public:
    explicit Nesting(Parser &parser) : parser(parser) { ++parser.depth; }
    ~Nesting() { --parser.depth; }
    Nesting(const Nesting &) = delete;
    Nesting &operator=(const Nesting &) = delete;
    /// Records the error and returns true if the limit is passed.
    bool tooDeep() const { return parser.depth > maxDepth && !parser.failDeep(); }

  private:
    Parser &parser;
  };

  /// Gathers a list on a stack that all lists share.
  template <typename T> class Gather {
  public:
    Gather(Parser &parser, std::vector<T> &stack)
        : parser(parser), stack(stack), mark(stack.size()) {}
    ~Gather() { stack.resize(mark); }
    Gather(const Gather &) = delete;
    Gather &operator=(const Gather &) = delete;
    void add(const T &value) { stack.push_back(value); }
    size_t size() const { return stack.size() - mark; }
    T &back() { return stack.back(); }
    List<T> take() { return parser.arena.copy(stack.data() + mark, size()); }

  private:
    Parser &parser;
    std::vector<T> &stack;
    size_t mark;
  };

  /// Gathers expressions, and the height of the tallest.
  class GatherExprs : public Gather<Expr *> {
  public:
    explicit GatherExprs(Parser &parser) : Gather<Expr *>(parser, parser.exprStack) {}
    void add(Expr *value) {
      height = std::max<unsigned>(height, value ? value->height : 0);
      Gather<Expr *>::add(value);
    }
    unsigned height = 0;
  };

  // Tokens.
  const Token &token(size_t ahead = 0) const {
    return tokens[std::min(index + ahead, tokens.size() - 1)];
  }
  TokenKind kind(size_t ahead = 0) const { return token(ahead).kind; }
  bool at(TokenKind wanted) const { return kind() == wanted; }
  std::string_view textOf(const Token &token) const {
    return source.substr(token.offset, token.length);
  }
  void advance();
  bool accept(TokenKind wanted);
  /// Takes the token, or fails saying that `what` is expected.
  bool expect(TokenKind wanted, const char *what);

  // Errors. All return null or false.
  std::nullptr_t fail(Position where, uint32_t length, std::string message,
                      std::string remedy = {});
  std::nullptr_t failAt(const Token &token, std::string message, std::string remedy = {});
  std::nullptr_t failAt(const Expr *expr, std::string message, std::string remedy = {});
  /// "expected `what`, found ...", or the lexer's error.
  std::nullptr_t unexpected(const std::string &what, std::string remedy = {});
  bool failDeep();

  /// Completes a node that started at `begin` and ends with the last token taken;
  /// `below` is the height of its tallest child. Null if the tree gets too deep.
  template <typename T> T *finish(T *node, Position begin, unsigned below) {
    if (below >= maxHeight)
      return fail(begin, 1, "this expression is nested too deeply",
                  "give its parts names of their own"),
             nullptr;
    node->begin = begin;
    node->end = lastEnd;
    node->height = static_cast<uint16_t>(below + 1);
    return node;
  }
  template <typename T> T *finishStmt(T *node, Position begin) {
    node->begin = begin;
    node->end = lastEnd;
    return node;
  }
  static unsigned heightOf(const Expr *expr) { return expr ? expr->height : 0; }
  static unsigned heightOf(const Exprs &exprs) {
    unsigned height = 0;
    for (const Expr *expr : exprs)
      height = std::max(height, heightOf(expr));
    return height;
  }

  // Expressions (ParseExpressions.cpp).
  Expr *starExpressions();
  /// The tuple that `first` at `begin` starts, the next token being a comma: `element` parses the
  /// others.
  template <typename Element> Expr *tupleFrom(Expr *first, Position begin, Element &&element);
  Expr *starExpression();
  Expr *namedExpression();
  Expr *expression();
  Expr *disjunction();
  Expr *conjunction();
  Expr *chain(TokenKind separator, BoolOperator op, Expr *(Parser::*operand)());
  Expr *inversion();
  Expr *comparison();
  Expr *binary(int leastPrecedence);
  Expr *unary();
  Expr *power();
  Expr *primary();
  Expr *attribute(Expr *value, Position begin);
  Expr *call(Expr *function, Position begin);
  bool callArguments(GatherExprs &arguments, Gather<Keyword> &keywords, unsigned &height);
  Expr *subscript(Expr *value, Position begin);
  Expr *slice();
  Expr *atom();
  Expr *parenthesized();
  Expr *bracketed();
  Expr *braced();
  Expr *lambda();
  Expr *yield();
  Expr *yieldOrStarExpressions();
  bool atComprehension() const {
    return at(TokenKind::KwFor) || (at(TokenKind::KwAsync) && kind(1) == TokenKind::KwFor);
  }
  bool comprehensions(List<Comprehension> &generators, unsigned &height);
  Expr *targetList();
  bool setContext(Expr *target, Context context);
  template <typename T> T *simple(Position begin) { return finish(arena.make<T>(), begin, 0); }

  // Literals (ParseLiterals.cpp).
  Expr *number();
  Expr *strings();
  /// The pieces of one or more adjacent string literals: text, and fields of f-strings.
  struct StringParts {
    std::string text; // not yet in a node
    std::vector<Expr *> values;
    unsigned height = 0;
    bool formatted = false;
  };
  class FormattedString; // ParseFormatted.cpp
  /// Adds the contents of an f-string, bytes [begin, end) of the source.
  bool formatted(const Token &literal, uint32_t begin, uint32_t end, bool raw, StringParts &parts);

  // Statements (ParseStatements.cpp).
  bool statement(Gather<Stmt *> &statements);
  bool simpleStatements(Gather<Stmt *> &statements);
  Stmt *simpleStatement();
  Stmt *expressionStatement();
  Stmt *annotatedAssignment(Expr *target, bool parenthesizedName, Position begin);
  Stmt *importStatement();
  Stmt *importFromStatement();
  Stmt *deleteStatement();
  Stmt *raiseStatement();
  Stmt *assertStatement();
  Stmt *scopeStatement();
  Stmt *ifStatement();
  Stmt *whileStatement();
  Stmt *forStatement();
  Stmt *tryStatement();
  Stmt *withStatement();
  bool withItems(List<WithItem> &items);
  bool withItem(Gather<WithItem> &items);
  Stmt *decorated();
  /// `async` and what it stands before.
  Stmt *asyncStatement(Exprs decorators);
  Stmt *functionDefinition(Exprs decorators);
  Stmt *classDefinition(Exprs decorators);
  bool parameters(TokenKind closing, bool annotated, Parameters &parameters, unsigned &height);
  bool block(Body &body, const char *what, const Token &owner);
  bool elseBlock(Body &body);
  bool dottedName(std::string_view &name, const char *what);

  // Match statements (ParsePatterns.cpp).
  bool isMatchStatement() const;
  Stmt *matchStatement();
  bool matchCase(Gather<MatchCase> &cases);
  /// The text between `case` and its guard or colon: a pattern, or several with commas.
  Pattern *casePatterns();
  Pattern *pattern();
  Pattern *orPattern();
  Pattern *closedPattern();
  /// A pattern, or `*name`.
  Pattern *starPattern();
  Pattern *literalPattern();
  Pattern *namePattern();
  Pattern *parenthesizedPattern();
  Pattern *classPattern(Expr *type, Position begin);
  Pattern *mappingPattern();
  /// Patterns with commas between them up to `closing`, which is not taken.
  bool patternList(TokenKind closing, Gather<Pattern *> &patterns);
  /// Numbers with their sign, complex ones, strings, None, True and False.
  Expr *literalExpression();
  Expr *signedNumber();
  /// `name` or `name.attribute`.
  Expr *nameOrAttribute();
  bool captureName(std::string_view &name);
  Pattern *newPattern(PatternKind kind);
  Pattern *finishPattern(Pattern *pattern, Position begin);

  std::string_view source;
  std::vector<Token> tokens;
  SyntaxError lexerError;
  Arena &arena;
  size_t index = 0;
  /// The end of the last token that is not layout.
  Position lastEnd{1, 1};
  unsigned depth = 0;
  bool failed = false;
  SyntaxError failure;

  std::vector<Expr *> exprStack;
  std::vector<Stmt *> stmtStack;
  std::vector<Keyword> keywordStack;
  std::vector<Parameter> parameterStack;
  std::vector<Comprehension> comprehensionStack;
  std::vector<CompareOperator> compareStack;
  std::vector<Pattern *> patternStack;
};

template <typename Element>
Expr *Parser::tupleFrom(Expr *first, Position begin, Element &&element) {
  GatherExprs elements(*this);
  elements.add(first);
  while (accept(TokenKind::Comma) && !endsList(kind())) {
    Expr *next = element();
    if (!next)
      return nullptr;
    elements.add(next);
  }
  auto *tuple = arena.make<TupleExpr>();
  tuple->elements = elements.take();
  return finish(tuple, begin, elements.height);
}

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_SYNTAX_PARSERIMPL_H
