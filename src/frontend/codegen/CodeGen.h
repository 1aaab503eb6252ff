//===- CodeGen.h - Code generation from syntax trees to tt ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Walks the tree of a function as Python would run it, with values that are constants or
// SSA values (Value.h). What is constant is decided while walking: an `if` on a constant
// takes one branch, a static_range is unrolled. The rest becomes structured control flow,
// and the variables that it assigns become its results.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_CODEGEN_CODEGEN_H
#define TILEWRIGHT_FRONTEND_CODEGEN_CODEGEN_H

#include "frontend/builtins/Builtins.h"
#include "frontend/codegen/Names.h"
#include "frontend/codegen/ParsedModule.h"
#include "frontend/value/Signature.h"
#include "frontend/value/TritonBuilder.h"
#include "ir/tt/Dialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "tilewright/Kernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <limits>
#include <unordered_map>

namespace tilewright::frontend {

class CodeGen {
public:
  CodeGen(mlir::MLIRContext &context, const ParsedModule &source, std::vector<Diagnostic> &errors);

  /// Whether the kernel's assertions are compiled in; not by default.
  void setAssertions(bool on) { tb.assertions = on; }
  /// 32 by default.
  void setThreadsPerWarp(unsigned lanes) { tb.threadsPerWarp = lanes; }

  /// The module with the kernel; null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> run(llvm::StringRef kernelName, llvm::StringRef signature);

  /// After `run`: the kernel's parameters, constants included.
  std::vector<KernelArgument> takeArguments() { return std::move(arguments); }
  /// After `run`: what the kernel prints while it is compiled.
  std::vector<Diagnostic> takeNotes() { return tb.takeNotes(); }

private:
  /// A run of statements that is still to come.
  struct Statements {
    const Stmt *const *begin = nullptr;
    const Stmt *const *end = nullptr;
  };
  /// The statements after the current ones, up to the end of the function. A branch that
  /// may return takes it along, since a structured `if` cannot be left in its middle.
  struct Continuation {
    Statements statements;
    const Continuation *next;
  };
  /// Branches that take a continuation along, one inside the other.
  static constexpr unsigned maxContinuations = 150;
  /// Expressions within each other, through calls as well, so that the stack suffices.
  static constexpr unsigned maxEvaluationDepth = 2000;
  /// Functions that call each other.
  static constexpr unsigned maxCallDepth = 50;
  enum class Flow { Next, Returned, Failed };

  /// A parameter of the kernel that is a tensor descriptor: it takes several arguments.
  struct DescriptorParameter {
    llvm::StringRef name;
    size_t firstArgument;
    DType type;
    llvm::SmallVector<int64_t> block;
  };

  /// A function while its code is generated.
  struct Frame {
    const FunctionDefStmt *function = nullptr;
    llvm::DenseMap<llvm::StringRef, Value> locals;
    /// The innermost loop that is not unrolled, if any.
    const Stmt *loop = nullptr;
    /// The function runs while compiling, as Python does (PythonFunctions.cpp).
    bool python = false;
    Value result;
    std::vector<DescriptorParameter> descriptors;
    /// Branches with a continuation that we are inside of.
    unsigned continuations = 0;
    const Frame *caller = nullptr;
  };

  /// The value of a module-level name.
  struct Global {
    bool isComputed = false;
    Value known;
    /// A kernel may use it; otherwise only code that runs while compiling may.
    bool usable = false;
  };

  struct Specialization {
    tt::FuncOp op;
    /// The result, with the SSA values of the function's own body.
    Value result;
  };

  static SourceSpan spanOf(const Expr *expr) { return {expr->begin, expr->end}; }
  static SourceSpan spanOf(const Stmt *stmt) { return {stmt->begin, stmt->end}; }

  /// The parameters of the kernel's function.
  struct KernelInputs {
    /// A parameter that is one argument.
    struct NamedValue {
      size_t argument;
      llvm::StringRef name;
      DType type;
    };
    llvm::SmallVector<mlir::Type> types;
    llvm::SmallVector<mlir::DictionaryAttr> attributes;
    llvm::SmallVector<NamedValue> values;
    /// Has the constants and descriptors.
    Frame frame;
  };

  // The kernel (Kernel.cpp).
  const FunctionDefStmt *chooseKernel(llvm::StringRef name);
  /// Of the kernels of that name, the one that holds; null, after an error, if none does.
  const FunctionDefStmt *kernelOf(const FunctionDefStmt *function);
  bool bindSignature(const FunctionDefStmt *kernel, llvm::StringRef signature);
  /// Adds entries at the end where the parameter has a constant to stand in, then there is one for
  /// each parameter; false, after an error, if there is not.
  bool completeSignature(const FunctionDefStmt *kernel, llvm::StringRef signature,
                         std::vector<SignatureEntry> &entries);
  /// `signature` is empty for an entry that is not in it.
  void addConstant(const Parameter &parameter, const SignatureEntry &entry,
                   llvm::StringRef signature, KernelInputs &inputs);
  bool addArgument(const Parameter &parameter, const SignatureEntry &entry,
                   llvm::StringRef signature, KernelInputs &inputs);
  void addDescriptor(const Parameter &parameter, const SignatureEntry &entry, KernelInputs &inputs);
  void addInput(DType type, int64_t divisibility, KernelInputs &inputs);
  void describeArgument(const Parameter &parameter, std::string type, int64_t divisibility);
  tt::FuncOp makeKernelFunction(const FunctionDefStmt *kernel, KernelInputs &inputs);
  /// Makes the descriptor of the entry block's arguments.
  void makeDescriptorParameter(const DescriptorParameter &parameter, mlir::Block &entry);
  mlir::DictionaryAttr divisibilityAttribute(int64_t divisibility);

  // Functions (Functions.cpp).
  bool generateBody(const FunctionDefStmt *function, tt::FuncOp op, Frame &frame);
  Value callFunction(const FunctionDefStmt *function, llvm::ArrayRef<GivenArgument> given);
  /// The number of the parameter that an argument names; nothing, after an error, if there is none.
  std::optional<size_t> findParameter(const FunctionDefStmt *function,
                                      const GivenArgument &argument);
  bool bindParameters(const FunctionDefStmt *function, llvm::ArrayRef<GivenArgument> given,
                      llvm::SmallVectorImpl<Value> &values);
  Specialization *specialize(const FunctionDefStmt *function, llvm::ArrayRef<Value> arguments);
  llvm::SmallVector<const Parameter *> parametersOf(const FunctionDefStmt *function);
  /// "a, b, c"
  static std::string namesOf(llvm::ArrayRef<const Parameter *> parameters);
  bool checkDefinition(const FunctionDefStmt *function);
  /// The default of the parameter of this number; null if it must be given.
  static const Expr *defaultOf(const FunctionDefStmt *function, size_t index);
  /// The value of a default of a function's parameter, as it was where the function was defined.
  Value evaluateDefault(const FunctionDefStmt *function, const Expr *expr);
  std::string symbolFor(llvm::StringRef key);
  /// Whether what runs now is Python's, not a kernel's: module-level code, constexpr functions.
  bool inPython() const { return !frame || frame->python; }
  /// Adds to the last error where the function was called.
  void noteCall(const FunctionDefStmt *function, SourceSpan span);

  // Which of a name's definitions holds (Definitions.cpp).

  /// That of the definitions of a name, of which `last` is the last, which holds now: of those that
  /// have run, the last whose conditions let it run. Null if none has run; also, after an error, if
  /// that depends on what cannot be evaluated.
  const Definition *resolve(const Definition *last);
  /// Whether the statements that it stands under let it run; nothing if that is not known.
  std::optional<bool> holds(const Definition &definition);
  std::optional<bool> lets(const Guard &guard, const Definition &definition);
  std::optional<bool> isTrue(const IfStmt &condition, unsigned order);
  /// Whether the body of a `try` ends without an exception.
  std::optional<bool> succeeds(const TryStmt &attempt, unsigned order);
  /// Runs `body` with the names that module-level code of that place sees. Its errors are not
  /// reported: false if there were any.
  bool tryAt(unsigned order, llvm::function_ref<void()> body);
  void refuseChoice(const Definition &definition);

  // Names of the module (Globals.cpp).
  Value globalValue(const Definition &definition);
  /// The value of a name, and whether a kernel may use it. One that it may not use is computed only
  /// where Python's code asks for it.
  Value computeGlobal(const Definition &definition, bool &usable);
  Value importedValue(std::string_view what);
  Value moduleAttribute(std::string_view module, llvm::StringRef name);

  // Statements (Statements.cpp).
  Flow sequence(Statements statements, const Continuation *next);
  Flow sequence(const Body &body, const Continuation *next) {
    return sequence({body.begin(), body.end()}, next);
  }
  Flow statement(const Stmt *stmt);
  bool assign(const Expr *target, const Value &value);
  Flow assignment(const AssignStmt *stmt);
  Flow annotatedAssignment(const AnnAssignStmt *stmt);
  Flow augmentedAssignment(const AugAssignStmt *stmt);
  /// Emits the computation of `x += 1` from x and 1.
  Value augmented(const AugAssignStmt *stmt, const NameExpr *name);
  /// Records the error of a statement that cannot stand where this one does.
  void refuse(const Stmt *stmt, llvm::StringRef what, llvm::StringRef remedy);
  /// Likewise of one that neither kernels nor constexpr functions have.
  void refuse(const Stmt *stmt);
  Flow returnStatement(const ReturnStmt *stmt);
  Flow assertion(const AssertStmt *stmt);
  /// An assertion on a constant.
  bool constantAssertion(const AssertStmt *stmt);
  bool failedAssertion(const AssertStmt *stmt);
  Value variableOf(const Value &value);

  // Control flow (ControlFlow.cpp, Loops.cpp).
  Flow dynamicIf(const IfStmt *stmt, const Value &condition);
  Flow returningIf(const IfStmt *stmt, const Value &condition, Statements rest,
                   const Continuation *next);
  Value conditional(const IfExpExpr *expr);
  Value scalarCondition(const Expr *test, const Value &value);
  /// Makes the values of two branches alike, so that an `if` can yield them.
  bool unify(Value &left, Value &right, const llvm::Twine &what, SourceSpan span);
  Flow forLoop(const ForStmt *stmt);
  /// The bounds of a loop that counts up, all of one type.
  struct LoopBounds {
    Value lower, upper, step;
    DType type{ScalarKind::Int32};
    /// The loop of the source counts down: its variable is upper + lower - the loop's counter.
    bool countsDown = false;
  };
  /// The bounds that the arguments of range or tl.range give; nothing after an error.
  std::optional<LoopBounds> loopBounds(const Arguments &range);
  Flow dynamicFor(const ForStmt *stmt, const Arguments &range);
  Flow unrolledFor(const ForStmt *stmt, const Arguments &range);
  Value whileCondition(const Expr *test, bool &disableLicm);
  Flow whileLoop(const WhileStmt *stmt);
  struct Carried {
    llvm::SmallVector<llvm::StringRef> names;
    llvm::SmallVector<Value> initial;
    llvm::SmallVector<mlir::Value> flat;
  };
  bool carriedBy(const Stmt *loop, const Body &body, const Expr *target, Carried &carried);
  /// The statements of a loop's body; `yielded` gets what the body leaves in its variables.
  bool loopBody(const Stmt *loop, const Body &body, const Carried &carried,
                llvm::SmallVectorImpl<mlir::Value> &yielded);
  bool yieldCarried(const Stmt *loop, const Carried &carried,
                    llvm::SmallVectorImpl<mlir::Value> &values);
  void setCarried(const Carried &carried, mlir::ValueRange values);
  void forgetAssigned(const Stmt *loop, const NameSet &assigned,
                      const llvm::DenseMap<llvm::StringRef, Value> &before);

  // Expressions (Expressions.cpp).
  Value evaluate(const Expr *expr);
  Value evaluateNode(const Expr *expr);
  Value evaluateName(const NameExpr *expr);
  Value evaluateConstant(const ConstantExpr *expr);
  Value evaluateAttribute(const AttributeExpr *expr);
  Value evaluateSubscript(const SubscriptExpr *expr);
  bool isWhole(const SliceExpr *slice);
  std::optional<std::vector<size_t>> positionsOf(const Value &sequence, Integer size,
                                                 const Expr *index);
  Value subscriptTuple(const Value &tuple, const Expr *index);
  Value evaluateCall(const CallExpr *expr);
  Value evaluateBoolOp(const BoolOpExpr *expr);
  Value evaluateCompare(const CompareExpr *expr);
  Value evaluateTuple(const Exprs &elements);
  Value subscriptString(const Value &string, const Expr *index);
  Value evaluateJoined(const JoinedStrExpr *expr);
  bool evaluateArguments(const CallExpr *expr, llvm::SmallVectorImpl<GivenArgument> &given);

  // Attributes (Attributes.cpp).
  Value attributeOf(const Value &value, llvm::StringRef name);
  Value typeAttribute(const Value &value, llvm::StringRef name);
  Value tensorAttribute(const Value &value, llvm::StringRef name);
  Value matrixAttribute(const Value &value, llvm::StringRef name);
  Value descriptorAttribute(const Value &value, llvm::StringRef name);
  /// isinstance, getattr, hasattr.
  Value reflect(Arguments &arguments);

  // Functions that run while compiling (PythonFunctions.cpp).
  enum class PythonFlow { Next, Returned, Broken, Continued, Failed };
  Value callPython(const FunctionDefStmt *function, llvm::ArrayRef<GivenArgument> given);
  PythonFlow runPython(const Body &body);
  PythonFlow runPython(const Stmt *stmt);
  PythonFlow runPythonFor(const ForStmt *stmt);
  PythonFlow runPythonWhile(const WhileStmt *stmt);
  std::optional<bool> constantTruth(const Expr *test);
  /// Counts what code that runs while compiling does; false, after an error, if it is too much.
  bool countPythonSteps(SourceSpan span, size_t steps = 1);
  Value comprehension(const Expr *element, const List<Comprehension> &generators);
  bool comprehend(const Expr *element, const Comprehension *at, const Comprehension *end,
                  std::vector<Value> &results);

  Value notInKernels(const Expr *expr, const char *what, const char *remedy);

  std::string_view keep(const llvm::Twine &text) { return arena.copy(text.str()); }
  bool countStatement(const Stmt *stmt);

  mlir::MLIRContext &context;
  const ParsedModule &source;
  /// Texts that values point to.
  Arena arena;
  std::vector<Diagnostic> &errors;
  TritonBuilder tb;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<KernelArgument> arguments;
  /// Those that have been asked for. Evaluating one may ask for others: they must not move.
  std::unordered_map<const Definition *, Global> globals;
  /// What is known of the conditions of the module; nothing while one is evaluated.
  llvm::DenseMap<const Stmt *, std::optional<bool>> conditions;
  /// How many definitions have run when module-level code runs; all of them for a kernel.
  unsigned definitionsRun = std::numeric_limits<unsigned>::max();
  llvm::StringMap<Specialization> specializations;
  llvm::StringSet<> symbols;
  Frame *frame = nullptr;
  /// Statements generated so far; unrolling could make them too many.
  unsigned statements = 0;
  unsigned evaluationDepth = 0;
  /// The number of steps that compile-time code has taken.
  size_t pythonSteps = 0;
};

/// Appends the SSA values inside a value, in order.
void flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &flat);
/// The value with its SSA values replaced by the next ones of `flat`.
Value rebuild(const Value &value, mlir::ValueRange flat, size_t &next);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_CODEGEN_CODEGEN_H
