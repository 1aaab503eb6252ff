//===- Interpreter.h - Evaluation of Python's expressions -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The interpreter evaluates expressions as Python would, with values that are constants or SSA
// values (Value.h). TritonBuilder computes an operation on constants, and emits any other one. So
// one walk serves kernels, functions that run while compiling, and module-level code.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_INTERPRET_INTERPRETER_H
#define TILEWRIGHT_FRONTEND_INTERPRET_INTERPRETER_H

#include "frontend/interpret/KernelCode.h"
#include "frontend/interpret/PythonFunctions.h"
#include "frontend/names/Resolver.h"

namespace tilewright::frontend {

class Interpreter : private Evaluator {
public:
  /// Without `imports`, no other file is found; without `kernel`, no kernel is compiled.
  Interpreter(mlir::MLIRContext &context, const ParsedModule &source,
              std::vector<Diagnostic> &errors, const CompileFacts &facts, Imports *imports,
              KernelCode *kernel = nullptr);

  Execution now;
  Resolver resolver;
  PythonFunctions python;

  // Expressions (Expressions.cpp). No value after an error, here and below.
  Value evaluate(const Expr *expr) override;
  Value evaluateName(const NameExpr *expr);
  /// Whether the function has a variable of that name.
  bool isOwnName(const FunctionObject &function, llvm::StringRef name);
  /// Whether a variable of a function that other functions keep may have got another value since
  /// the function ended: by what these do, or since it is a list that others have.
  bool mayHaveChanged(const Environment &closure, llvm::StringRef name, const Value &value) const;

  // Calls (Calls.cpp).
  bool evaluateArguments(const CallExpr *expr, llvm::SmallVectorImpl<GivenArgument> &given);
  /// Calls a function of a source file or a builtin.
  Value callValue(const Value &callee, llvm::ArrayRef<GivenArgument> given);

  // Parameters of functions of source files (Parameters.cpp).
  bool checkDefinition(const FunctionObject *function);
  /// The values of all parameters, in the order of parametersOf.
  bool bindParameters(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given,
                      llvm::SmallVectorImpl<Value> &values);
  /// The value of a default of a function's parameter, as it was where the function was defined.
  Value evaluateDefault(const FunctionObject *function, const Expr *expr);

  // Statements that kernels and functions which run while compiling share (Assignments.cpp).
  bool assign(const Expr *target, const Value &value);
  /// What `x += 1` makes of x and 1, where x is a name or an element of a list.
  Value augmented(const AugAssignStmt *stmt, const Expr *target);
  /// An assertion on a constant.
  bool constantAssertion(const AssertStmt *stmt);
  /// Records the error of a statement that cannot stand where this one does.
  void refuse(const Stmt *stmt, llvm::StringRef what, llvm::StringRef remedy);
  /// Likewise of one that neither kernels nor constexpr functions have.
  void refuse(const Stmt *stmt);

private:
  /// Expressions within each other, through calls as well, so that the stack suffices.
  static constexpr unsigned maxEvaluationDepth = 2000;

  Value callPython(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given) override {
    return python.call(function, given);
  }

  // Expressions.cpp
  Value evaluateNode(const Expr *expr);
  Value evaluateConstant(const ConstantExpr *expr);
  Value evaluateChoice(const IfExpExpr *expr);
  Value evaluateBoolOp(const BoolOpExpr *expr);
  Value evaluateCompare(const CompareExpr *expr);
  Value evaluateTuple(const Exprs &elements, bool isList = false);
  Value evaluateJoined(const JoinedStrExpr *expr);
  Value notInKernels(const Expr *expr, const char *what, const char *remedy);

  // Calls.cpp
  Value evaluateCall(const CallExpr *expr);
  /// tl.static_assert: its message is evaluated only where the condition is false.
  Value staticAssert(const CallExpr *expr);
  /// A call of a jitted function.
  Value callKernel(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given);
  /// The number of the parameter that an argument names; nothing, after an error, if there is none
  /// (Parameters.cpp).
  std::optional<size_t> findParameter(const FunctionDefStmt *function,
                                      const GivenArgument &argument);

  // Subscripts.cpp
  Value evaluateSubscript(const SubscriptExpr *expr);
  Value subscriptTensor(const SubscriptExpr *expr, Value value);
  Value evaluateSlice(const SliceExpr *slice);

  // Attributes.cpp
  Value evaluateAttribute(const AttributeExpr *expr);
  /// The attribute of what stands before the dot.
  Value attributeAt(const AttributeExpr *expr, const Value &object);
  Value attributeOf(const Value &value, llvm::StringRef name);
  Value tupleType(const Value &tuple);

  /// isinstance, getattr, hasattr (Reflection.cpp).
  Value reflect(Arguments &arguments);
  /// Whether the object has the attribute; nothing if only the program itself could tell.
  std::optional<bool> hasAttribute(const Value &object, llvm::StringRef name);
  /// The same of an object that no source file defines.
  std::optional<bool> isThere(const Value &object, llvm::StringRef name);

  // Dicts and sets, and functions that take functions (Containers.cpp).
  Value evaluateDict(const DictExpr *expr);
  /// A call of Python's dict, set or frozenset.
  Value makeContainer(llvm::StringRef name, llvm::ArrayRef<GivenArgument> given);
  /// A call of a method of a dict; nothing if the call is none.
  std::optional<Value> callDictMethod(const Value &dict, llvm::StringRef name,
                                      const CallExpr *call);
  /// A call of Python's map, filter, sorted, min or max.
  Value callFunctional(Arguments &arguments);

  /// A call of a method of a string by code that runs while compiling; nothing if the call is none
  /// (StringMethods.cpp).
  std::optional<Value> callStringMethod(const Value &object, llvm::StringRef name,
                                        const CallExpr *call);

  /// collections.namedtuple(name, fields); nothing if the call is another one (NamedTuples.cpp).
  Value makeTupleClass(llvm::ArrayRef<GivenArgument> given);
  /// A call of a class of tuples.
  Value makeNamedTuple(const TupleClass &tupleClass, llvm::ArrayRef<GivenArgument> given);

  /// A call of an aggregate: its __init__ runs, and may emit ops (Aggregates.cpp).
  Value makeAggregate(const Value &made, llvm::ArrayRef<GivenArgument> given);
  bool runInitializer(const Body &body, llvm::StringRef self, std::vector<Value> &fields,
                      const TupleClass &tupleClass);
  /// An attribute of an aggregate that is no field: a method.
  Value aggregateMethod(const Value &aggregate, llvm::StringRef name);
  /// `left op right`. An aggregate on the left has a method for it, `__add__` and so on; the right
  /// side's are not asked, as in Triton.
  Value operate(BinaryOperator op, const Value &left, const Value &right);

  /// A call of triton.Config (Configs.cpp).
  Value makeConfig(const CallExpr *call);
  Value configAttribute(const Value &config, llvm::StringRef name);
  /// Whether a statement sets the attribute of a configuration, of any one: an error then.
  bool refuseChangedConfig(llvm::StringRef name);

  /// A call of a name of a module that is not read, by code that runs while compiling
  /// (KnownCalls.cpp).
  Value callKnown(const CallExpr *call, llvm::StringRef callee);
  /// `triton.jit` with the flags after it that it has and that the call gives it.
  llvm::StringRef flagsOf(llvm::StringRef jit, const CallExpr &call);

  bool assignElement(const SubscriptExpr *target, const Value &value);
  bool assignElements(const Expr *target, const Exprs &elements, const Value &whole);
  bool failedAssertion(const AssertStmt *stmt);

  TritonBuilder &tb;
  KernelCode *kernel;
  /// Functions of Python that no statement replaces.
  llvm::SmallPtrSet<const Builtin *, 8> plainBuiltins;
  /// The names that functions which run while compiling have of their own.
  llvm::DenseMap<const FunctionDefStmt *, NameSet> ownNames;
  unsigned evaluationDepth = 0;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_INTERPRET_INTERPRETER_H
