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
#include "frontend/codegen/CompileKernel.h"
#include "frontend/names/Environment.h"
#include "frontend/names/ModuleFinder.h"
#include "frontend/names/Names.h"
#include "frontend/value/Function.h"
#include "frontend/value/Signature.h"
#include "frontend/value/TritonBuilder.h"
#include "ir/tt/Dialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "tilewright/Kernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <deque>
#include <limits>
#include <map>
#include <unordered_map>

namespace tilewright::frontend {

class CodeGen {
public:
  /// Without `imports`, no other file is found.
  CodeGen(mlir::MLIRContext &context, const ParsedModule &source, std::vector<Diagnostic> &errors,
          const CompileFacts &facts = {}, Imports *imports = nullptr);

  /// The kernels of the source (kernelsOf in CompileKernel.h).
  std::vector<const FunctionDefStmt *> listKernels(bool rootsOnly);

  /// The module with the kernel; null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> run(llvm::StringRef kernelName, llvm::StringRef signature);

  /// After `run`: the kernel's parameters, constants included.
  std::vector<KernelArgument> takeArguments() { return std::move(arguments); }
  /// After `run`: what the kernel prints while it is compiled.
  std::vector<Diagnostic> takeNotes() { return tb.takeNotes(); }
  /// After `run`: what the kernel depends on besides its source.
  std::vector<InputFile> inputs() const { return finder.inputs(); }
  std::vector<InputVariable> inputVariables() const;

  // Beside kernels (HostCode.cpp).

  /// Of tuples, lists and dicts (Value::maxTupleParts).
  void setMaxTupleParts(size_t parts) { tb.maxTupleParts = parts; }
  /// The kernel that `run` compiles; null, without an error, if there is none or there are several.
  const FunctionObject *findKernel(llvm::StringRef name);
  /// The value of an expression that stands before the function's definition.
  Value evaluateBefore(const FunctionObject &function, const Expr *expr);
  /// The value of an expression of the source that sees these names and Triton's, and none of the
  /// source.
  Value evaluateWith(const Variables &names, const Expr *expr);

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
  /// Modules that are read at once for what running them does.
  static constexpr unsigned maxModules = 32;
  /// Modules that are asked whether they raise; of further ones that is not known.
  static constexpr unsigned maxModulesRun = 256;
  /// Modules that import a name from each other.
  static constexpr unsigned maxImportDepth = 16;
  enum class Flow { Next, Returned, Failed };

  /// A parameter of the kernel, by its entry in the signature: it takes any number of arguments.
  struct KernelParameter {
    const SignatureEntry *entry;
    llvm::StringRef name;
  };

  /// A function while its code is generated.
  struct Frame {
    const FunctionObject *function = nullptr;
    llvm::DenseMap<llvm::StringRef, Value> locals;
    /// The innermost loop that is not unrolled, if any.
    const Stmt *loop = nullptr;
    /// The function runs while compiling, as Python does (PythonFunctions.cpp).
    bool python = false;
    Value result;
    /// Of the kernel: those that are made of the function's arguments.
    std::vector<KernelParameter> parameters;
    /// Branches with a continuation that we are inside of.
    unsigned continuations = 0;
    const Frame *caller = nullptr;
    /// Where the functions that it defines find its variables; null before there is one.
    const Environment *closure = nullptr;
  };

  /// The value of a name that is not a function's own.
  struct Global {
    bool isComputed = false;
    Value known;
    /// A kernel may use it; otherwise only code that runs while compiling may.
    bool usable = false;
  };

  /// How far the code of an environment has run, while it runs.
  struct Progress {
    const Environment *environment;
    /// How many of its definitions have run.
    unsigned order;
    const Progress *outer;
  };

  /// While it lives, names are those of another environment.
  class Within {
  public:
    /// For a function's body.
    Within(CodeGen &codeGen, const Environment &environment, Frame *frame);
    /// For code of the environment itself, which this many definitions precede.
    Within(CodeGen &codeGen, const Environment &environment, unsigned order);
    ~Within();
    Within(const Within &) = delete;
    Within &operator=(const Within &) = delete;

  private:
    CodeGen &codeGen;
    TritonBuilder::InFile file;
    const Environment *savedEnvironment;
    Frame *savedFrame;
    const Progress *savedProgress;
    Progress here, around;
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
    llvm::SmallVector<mlir::Type> types;
    llvm::SmallVector<mlir::DictionaryAttr> attributes;
    llvm::SmallVector<mlir::Location> locations;
    Frame frame;
  };

  // Which function is the kernel (KernelSearch.cpp).
  using Functions = llvm::SmallVector<const FunctionObject *>;
  const FunctionObject *chooseKernel(llvm::StringRef name);
  /// What a module-level name means, which must be a kernel.
  const FunctionObject *kernelNamed(llvm::StringRef name);
  /// The kernels of the module itself, by the order of the text. Of several definitions of a name,
  /// of which conditions choose, the last.
  Functions kernelsOfModule();
  /// Those of an environment and of all inside of its body; of that name, if it is not empty.
  void collectKernels(const Body &body, const Environment &environment, llvm::StringRef name,
                      Functions &kernels);
  /// Those that stand in classes and in functions.
  void collectInnerKernels(const Body &body, const Environment &environment, llvm::StringRef name,
                           Functions &kernels);
  /// Where a function stands: `C.k`.
  static std::string pathOf(const FunctionObject &function);
  /// Those of the kernels that no other one calls.
  static Functions rootsOf(llvm::ArrayRef<const FunctionObject *> kernels);

  // The kernel (Kernel.cpp).
  bool bindSignature(const FunctionObject *kernel, llvm::StringRef signature);
  /// Adds entries at the end where the parameter has a constant to stand in, then there is one for
  /// each parameter; false, after an error, if there is not.
  bool completeSignature(const FunctionObject *kernel, llvm::StringRef signature,
                         std::vector<SignatureEntry> &entries);
  /// Adds the arguments of a parameter, or of an element of one that is a tuple, whose name is a
  /// path: "view.sizes[0]". `signature` is empty for an entry that is not in it.
  bool addEntry(const Parameter &parameter, const std::string &name, const SignatureEntry &entry,
                llvm::StringRef signature, KernelInputs &inputs);
  void describeConstant(const std::string &name, const SignatureEntry &entry,
                        llvm::StringRef signature);
  bool addArgument(const Parameter &parameter, const std::string &name, const SignatureEntry &entry,
                   llvm::StringRef signature, KernelInputs &inputs);
  void addDescriptor(const std::string &name, const SignatureEntry &entry, KernelInputs &inputs);
  void addInput(DType type, int64_t divisibility, mlir::Location location, KernelInputs &inputs);
  void describeArgument(const std::string &name, std::string type, int64_t divisibility);
  tt::FuncOp makeKernelFunction(const FunctionObject *kernel, KernelInputs &inputs);
  /// Sets the kernel's parameters, from the arguments of its entry block.
  bool makeParameters(mlir::Block &entry);
  /// What an entry of the signature is in the kernel: takes its arguments off the entry block's.
  Value makeParameter(const SignatureEntry &entry, llvm::ArrayRef<mlir::BlockArgument> &arguments);
  Value makeDescriptorParameter(const SignatureEntry &entry,
                                llvm::ArrayRef<mlir::BlockArgument> &arguments);
  /// The function of the source that an entry names.
  Value functionOfEntry(const SignatureEntry &entry);
  mlir::DictionaryAttr divisibilityAttribute(int64_t divisibility);

  // Functions (Functions.cpp).
  bool generateBody(const FunctionObject *function, tt::FuncOp op, Frame &frame);
  Value callFunction(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given);
  /// The number of the parameter that an argument names; nothing, after an error, if there is none.
  std::optional<size_t> findParameter(const FunctionDefStmt *function,
                                      const GivenArgument &argument);
  bool bindParameters(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given,
                      llvm::SmallVectorImpl<Value> &values);
  Specialization *specialize(const FunctionObject *function, llvm::ArrayRef<Value> arguments);
  llvm::SmallVector<const Parameter *> parametersOf(const FunctionDefStmt *function);
  /// "a, b, c"
  static std::string namesOf(llvm::ArrayRef<const Parameter *> parameters);
  bool checkDefinition(const FunctionObject *function);
  /// The default of the parameter of this number; null if it must be given.
  static const Expr *defaultOf(const FunctionDefStmt *function, size_t index);
  /// The value of a default of a function's parameter, as it was where the function was defined.
  Value evaluateDefault(const FunctionObject *function, const Expr *expr);
  std::string symbolFor(llvm::StringRef key);
  /// Whether what runs now is Python's, not a kernel's: module-level code, constexpr functions.
  bool inPython() const { return !frame || frame->python; }
  /// Adds to the last error where the function was called.
  void noteCall(const FunctionObject *function, SourceSpan span);

  // Which of a name's definitions holds (Definitions.cpp).

  /// That of the definitions of a name which holds now: of those that have run, the last whose
  /// conditions let it run; it may be a `from m import *`. Null if none has run; also, after an
  /// error, if that depends on what cannot be evaluated.
  const Definition *resolve(const Environment &environment, llvm::StringRef name);
  /// Whether what a name has is a list, dict or set where a statement may change it.
  bool isMutableBefore(const Environment &environment, const Definition &definition);
  /// How many definitions of the environment have run; all of them for a kernel.
  unsigned orderIn(const Environment &environment) const;
  /// Of definitions of which one is libdevice and nothing is known of the others, that one, with a
  /// warning; null if it is not so.
  const Definition *onlyLibdevice(const Environment &environment,
                                  llvm::ArrayRef<const Definition *> possible);
  /// Of several definitions of which nothing is known, the one that all that make sense mean: null
  /// if there is none.
  const Definition *chooseAmong(const Environment &environment,
                                llvm::ArrayRef<const Definition *> possible);
  /// Whether the statements that it stands under let it run; nothing if that is not known.
  std::optional<bool> holds(const Environment &environment, const Definition &definition);
  std::optional<bool> lets(const Environment &environment, const Guard &guard,
                           const Definition &definition);
  std::optional<bool> isTrue(const Environment &environment, const IfStmt &condition,
                             unsigned order);
  /// Whether the body of a `try` ends without an exception.
  std::optional<bool> succeeds(const Environment &environment, const TryStmt &attempt,
                               unsigned order);
  std::optional<bool> runAttempt(const Environment &environment, const TryStmt &attempt,
                                 unsigned order);
  /// Whether the `except` of a `try` catches the exception of a statement of its body: a failing
  /// import, or a name that a module does not have.
  static std::optional<bool> catches(const TryStmt &attempt, const Stmt &failing);
  /// Whether an import succeeds.
  std::optional<bool> canImport(const Environment &environment, const Import &import);
  /// Runs `body` with the names that code of that place sees. Its errors are not reported: false
  /// if there were any.
  bool tryAt(const Environment &environment, unsigned order, llvm::function_ref<void()> body);
  /// Likewise, at the current place.
  bool tryHere(llvm::function_ref<void()> body);
  /// What goes wrong in `body`, which is not reported.
  std::vector<Diagnostic> errorsOf(llvm::function_ref<void()> body);
  void refuseChoice(const Environment &environment, llvm::StringRef name,
                    const Definition &definition);

  // Values of definitions (Globals.cpp).

  /// The value of a name for the code that runs now: an error if a kernel may not use it.
  Value globalValue(const Environment &environment, const Definition &definition,
                    llvm::StringRef name);
  /// The value of a name, and whether a kernel may use it. One that it may not use is computed only
  /// if `asked`.
  Global global(const Environment &environment, const Definition &definition, llvm::StringRef name,
                bool asked);
  Value computeGlobal(const Environment &environment, const Definition &definition, bool asked,
                      bool &usable);
  /// Whether it is `tl.constexpr(..)`.
  bool isConstexprCall(const Expr *expr);
  /// What `tl.constexpr(a) if c else a` makes, as far as a kernel can use it: what `c` chooses, or,
  /// where that is not known, the only constexpr. Null if that is none.
  const Expr *chosenConstexpr(const IfExpExpr &choice);
  /// What `NAME[key] = value` makes of what the name had.
  Value changedElement(const Environment &environment, const Definition &definition);
  Value computeVariable(const Environment &environment, const Definition &definition, bool asked,
                        bool &usable);
  /// What `name` or `module.name` means, with whether a kernel may use it.
  Global globalOfPath(const Expr *path);
  /// Of a call of a decorator on a function, or of what makes functions: the function. Nothing if
  /// the call is none of these.
  std::optional<Value> followWrapping(const CallExpr *call, llvm::StringRef name);

  // Imports (Modules.cpp).

  /// The module that the import names or takes a name from; null if it is not found.
  const FoundModule *findModule(const Environment &environment, const Import &import);
  Global importedGlobal(const Environment &environment, const Import &import, bool asked);
  /// A name of a module.
  Global member(const FoundModule &module, llvm::StringRef name, bool asked);
  /// Whether a statement defines the name of the module; nothing if that is not known.
  std::optional<bool> definesName(const FoundModule &module, llvm::StringRef name);
  /// Whether the module has the name among those that `import *` takes where there is no `__all__`.
  std::optional<bool> hasPublicName(const FoundModule &module, llvm::StringRef name);
  /// Whether the module may be asked for the name before it has defined it, since it imports this
  /// module.
  bool mayBeUnderWay(const FoundModule &module, const Definition &definition);
  /// Whether the module has the name; nothing if that is not known.
  std::optional<bool> hasMember(const FoundModule &module, llvm::StringRef name);
  /// Whether `from m import *` defines the name; nothing if that is not known.
  std::optional<bool> starDefines(const Environment &environment, const Definition &star,
                                  llvm::StringRef name);
  /// Null, after an error, if the file has a syntax error; also for a folder.
  const Environment *environmentOf(const FoundModule &module);

  // What running other modules does (ModuleRuns.cpp).

  /// Reads the modules that the source's imports lead to, each of which may change the others.
  void readImportedModules();
  void readImportsOf(const FoundModule &module);
  void noteImport(const FoundModule *module, const FoundModule *importer, unsigned order,
                  bool inFunction);
  /// Reads those that are too far away to be read at once, where their text may set an attribute of
  /// that name.
  void readModulesThatSet(llvm::StringRef attribute);
  /// Those that an import runs, packages around them left out; none of a module that is not read.
  llvm::SmallVector<const FoundModule *> modulesOf(const Environment &environment,
                                                   const Import &import);
  /// Whether the package defines the name otherwise than by importing its own module of that name.
  bool definesBesides(const Environment &names, llvm::StringRef name, const FoundModule &package);
  /// Whether running `from` imports `to`, or it is that.
  bool leadsTo(const FoundModule *from, const FoundModule *to) const;
  /// Whether module-level code that runs now may see one of several values of the module's name,
  /// since the modules import each other: an error then.
  bool refuseCircularImport(const FoundModule &module, llvm::StringRef name);
  /// Whether an import of a program that is read, or one here, makes the module of that name an
  /// attribute of its package, which has no such definition.
  bool isSubmodule(const FoundModule &package, llvm::StringRef name);
  /// Whether the package defines a name that is also one of its modules, so that an import replaces
  /// the one by the other: an error then.
  bool refuseHiddenModule(const FoundModule &package, llvm::StringRef name,
                          const Definition &definition);
  /// Whether a statement of another module sets the name.
  bool isChangedElsewhere(const FoundModule &module, llvm::StringRef name);
  /// Whether the module runs to its end; false if it raises ImportError, nothing if it may raise.
  std::optional<bool> runsThrough(const FoundModule &module);
  std::optional<bool> runsThrough(const Environment &environment, const Body &body);
  std::optional<bool> runsThrough(const Environment &environment, const Stmt *stmt);
  /// Likewise of an expression of the statement.
  std::optional<bool> evaluates(const Environment &environment, const Stmt *stmt, const Expr *expr);

  // What a class is (Modules.cpp).
  const Environment *environmentOf(const ClassDefStmt *definition, const Environment &home,
                                   unsigned order);
  /// That of functions inside of one that does not run here.
  const Environment *environmentInside(const FunctionDefStmt *function, const Environment &home);
  /// Whether something else than its body may set names of the class: an error then.
  bool refuseMadeClass(const ClassObject &object);
  Global classMember(const ClassObject &object, llvm::StringRef name);

  // Named tuples (NamedTuples.cpp).

  /// The class of tuples that a class of a source file is; null if it is none.
  const TupleClass *tupleClassOf(const ClassObject &object);
  /// collections.namedtuple(name, fields); nothing if the call is another one.
  Value makeTupleClass(llvm::ArrayRef<GivenArgument> given);
  /// A call of triton.Config (Configs.cpp).
  Value makeConfig(const CallExpr *call);
  Value configAttribute(const Value &config, llvm::StringRef name);
  /// A call of a class of tuples.
  Value makeNamedTuple(const TupleClass &tupleClass, llvm::ArrayRef<GivenArgument> given);

  // Modules that are not read, but known (KnownModules.cpp).
  Value moduleAttribute(std::string_view module, llvm::StringRef name);
  /// The module that an import's name stands for: tilewright.language is triton.language.
  llvm::StringRef moduleMeant(llvm::StringRef name);
  /// A call of a name of these, by code that runs while compiling.
  Value callKnown(const CallExpr *call, llvm::StringRef callee);
  /// `triton.jit` with the flags after it that it has and that the call gives it.
  llvm::StringRef flagsOf(llvm::StringRef jit, const CallExpr &call);
  /// A name of something in a module that is not read.
  Value hostAttribute(llvm::StringRef object, llvm::StringRef name);
  /// What modules ask of the device (DeviceQueries.cpp): an attribute, the result of a call. No
  /// value, and no error, if it is not known.
  Value deviceAttribute(llvm::StringRef object, llvm::StringRef name);
  Value deviceCall(llvm::StringRef callee, llvm::ArrayRef<GivenArgument> given);
  /// Whether it is PyTorch's module of a device that no target is.
  bool isAbsentDevice(llvm::StringRef object, llvm::StringRef name) const;
  /// A call of a method of a string by code that runs while compiling (StringMethods.cpp); nothing
  /// if the call is none.
  std::optional<Value> callStringMethod(const Value &object, llvm::StringRef name,
                                        const CallExpr *call);
  /// The value of a variable of the environment; None if it is not set.
  Value environmentVariable(llvm::StringRef name);

  // What decorators make of functions (Decorators.cpp).

  /// The function that this `def` makes.
  const FunctionObject *functionOf(const FunctionDefStmt *definition, const Environment &home,
                                   unsigned order);
  /// Likewise, while the function around it runs. Null after an error.
  const FunctionObject *makeClosure(const FunctionDefStmt *definition);
  /// Evaluates the defaults of the function that is being defined; false after an error.
  bool keepDefaults(FunctionObject &function);
  Value evaluateLambda(const LambdaExpr *expr);
  void applyDecorators(FunctionObject &function);
  void applyDecorator(const Expr *decorator, FunctionObject &function);
  /// What the wrappers around a function that runs while compiling make of it: the function itself,
  /// if there are none. Null after an error.
  const FunctionObject *unwrapped(const FunctionObject *function);
  /// The function as `triton.jit` with these flags, or `triton.constexpr_function`, makes it.
  const FunctionObject *decorated(const FunctionObject *function, llvm::StringRef decorator);
  FunctionObject &makeFunction(const FunctionDefStmt *definition);
  /// Whether calling it ends in triton.jit.
  bool makesKernels(const Value &callable);
  bool mentionsJit(const Environment &environment, const Body &body, unsigned depth);
  /// Whether an annotation is triton.language's `meant`, "constexpr" or "const".
  bool isAnnotation(const Expr *annotation, llvm::StringRef meant, const Environment &environment);

  // Statements (Statements.cpp).
  Flow sequence(Statements statements, const Continuation *next);
  Flow sequence(const Body &body, const Continuation *next) {
    return sequence({body.begin(), body.end()}, next);
  }
  Flow statement(const Stmt *stmt);
  bool assign(const Expr *target, const Value &value);
  bool assignElements(const Expr *target, const Exprs &elements, const Value &whole);
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

  // Control flow (ControlFlow.cpp, Loops.cpp, Ranges.cpp).
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
  /// The arguments of tl.range after the bounds, as attributes; the passes that schedule loops read
  /// them. False after an error.
  bool setLoopHints(mlir::Operation *loop, const Arguments &range);
  /// Nothing is to be moved out of the loop.
  static void forbidHoisting(mlir::Operation *loop);
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
  /// What the variable of a `for` holds after it. `old` is what it held before.
  Value counterAfter(const ForStmt *loop, const LoopBounds &bounds, const Value &old);
  /// The last value of the counter of a loop that has ended, which `counter` describes.
  Value lastOf(const Value &counter);
  /// Takes the arguments that Triton ignores from those of a `range`; false after an error.
  bool dropRangeHints(llvm::SmallVectorImpl<GivenArgument> &given);

  // Expressions (Expressions.cpp).
  Value evaluate(const Expr *expr);
  Value evaluateNode(const Expr *expr);
  Value evaluateName(const NameExpr *expr);
  Value evaluateConstant(const ConstantExpr *expr);
  Value evaluateAttribute(const AttributeExpr *expr);
  /// The attribute of what stands before the dot.
  Value attributeAt(const AttributeExpr *expr, const Value &object);
  Value evaluateCall(const CallExpr *expr);
  /// Calls a function of a source file or a builtin.
  Value callValue(const Value &callee, llvm::ArrayRef<GivenArgument> given);
  /// tl.static_assert: its message is evaluated only where the condition is false.
  Value staticAssert(const CallExpr *expr);
  Value evaluateBoolOp(const BoolOpExpr *expr);
  Value evaluateCompare(const CompareExpr *expr);
  Value evaluateTuple(const Exprs &elements, bool isList = false);
  Value evaluateJoined(const JoinedStrExpr *expr);
  bool evaluateArguments(const CallExpr *expr, llvm::SmallVectorImpl<GivenArgument> &given);

  // Subscripts (Subscripts.cpp).
  Value evaluateSubscript(const SubscriptExpr *expr);
  Value subscriptTensor(const SubscriptExpr *expr, Value value);
  Value evaluateSlice(const SliceExpr *slice);
  std::optional<std::vector<size_t>> positionsOf(const Value &sequence, Integer size,
                                                 const Value &index, SourceSpan span);
  Value subscriptTuple(const Value &tuple, const Value &index, SourceSpan span);
  Value subscriptString(const Value &string, const Value &index, SourceSpan span);

  // Attributes (Attributes.cpp).
  Value attributeOf(const Value &value, llvm::StringRef name);
  Value typeAttribute(const Value &value, llvm::StringRef name);
  Value tensorAttribute(const Value &value, llvm::StringRef name);
  Value matrixAttribute(const Value &value, llvm::StringRef name);
  Value descriptorAttribute(const Value &value, llvm::StringRef name);

  // What objects have (Reflection.cpp).

  /// isinstance, getattr, hasattr.
  Value reflect(Arguments &arguments);
  /// Whether the object has the attribute; nothing if only the program itself could tell.
  std::optional<bool> hasAttribute(const Value &object, llvm::StringRef name);
  /// Likewise of a module that is not read.
  std::optional<bool> moduleHas(llvm::StringRef module, llvm::StringRef name);
  /// Whether the change of an imported name changes a list, dict or set of the object.
  bool changesImported(const Environment &home, const AttributeChange &change,
                       llvm::function_ref<bool(const Value &)> isObject);
  /// The statement of a module that is read which sets the attribute of that object, and the
  /// module's names; null if there is none.
  /// Of a statement that only changes a list, dict or set, `isMutable` says whether it is one.
  std::pair<const Environment *, const AttributeChange *> findAttributeChange(
      llvm::StringRef name, llvm::function_ref<bool(const Value &)> isObject,
      llvm::function_ref<bool()> isMutable = [] { return false; });
  bool changesAttribute(const Environment &home, const AttributeChange &change,
                        llvm::StringRef attribute,
                        llvm::function_ref<bool(const Value &)> isObject);
  /// What `base` is in `base.attribute = ..`.
  struct ChangedObject {
    /// None if it cannot be evaluated.
    Value value;
    /// Nothing else is known than that it may be a module or a class that is read here.
    bool mayBeAny = false;
  };
  const ChangedObject &objectOf(const Environment &home, const AttributeChange &change);
  /// Runs `body`, whose errors are not reported, as if no statement set attributes: true if there
  /// were none, and nothing that it asked for is set by a statement. What it computes is kept
  /// apart.
  bool tryUnchanged(const Environment &environment, unsigned order,
                    llvm::function_ref<void()> body);
  bool isSetSomewhere(llvm::StringRef attribute) const;
  /// Puts the caches of `unchanged` in place of the others, or back.
  void swapUnchanged();
  /// Whether what cannot be evaluated may be a module or a class that is read here.
  bool mayBeOurs(const Environment &home, const Expr *expr,
                 llvm::SmallPtrSetImpl<const Definition *> &seen);
  bool derivesFrom(const ClassObject &object, const ClassDefStmt *base, unsigned depth);
  /// Whether a definition of the name, in itself, makes a list, dict or set.
  bool mayHaveList(const Environment &environment, llvm::StringRef name);
  /// Whether a statement of a module that is read sets the attribute of that object: an error
  /// then, since no one sees when it runs.
  bool refuseChangedAttribute(
      llvm::StringRef name, llvm::function_ref<bool(const Value &)> isObject,
      llvm::function_ref<bool()> isMutable = [] { return false; });

  // Functions that run while compiling (PythonFunctions.cpp).
  enum class PythonFlow { Next, Returned, Broken, Continued, Failed };
  Value callPython(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given);
  /// Lets the functions that are defined in active ones see their variables as they are now.
  void updateClosures();
  PythonFlow runPython(const Body &body);
  PythonFlow runPython(const Stmt *stmt);
  /// False, after an error, for what lists and tuples alike cannot stand for: an iterator that gets
  /// a name could be run through twice.
  bool checkNamed(const Expr *value);
  PythonFlow runPythonFor(const ForStmt *stmt);
  PythonFlow runPythonWhile(const WhileStmt *stmt);
  std::optional<bool> constantTruth(const Expr *test);
  /// Counts what code that runs while compiling does; false, after an error, if it is too much.
  bool countPythonSteps(SourceSpan span, size_t steps = 1);
  /// The elements that a comprehension gives, as a tuple; of a dict's, keys and values by turns.
  Value comprehension(llvm::ArrayRef<const Expr *> elements, const List<Comprehension> &generators);
  bool comprehend(llvm::ArrayRef<const Expr *> elements, const Comprehension *at,
                  const Comprehension *end, std::vector<Value> &results);

  // Dicts and sets, and functions that take functions (Containers.cpp).
  Value evaluateDict(const DictExpr *expr);
  /// A call of Python's dict, set or frozenset.
  Value makeContainer(llvm::StringRef name, llvm::ArrayRef<GivenArgument> given);
  /// A call of a method of a dict; nothing if the call is none.
  std::optional<Value> callDictMethod(const Value &dict, llvm::StringRef name,
                                      const CallExpr *call);
  /// A call of Python's map, filter, sorted, min or max.
  Value callFunctional(Arguments &arguments);
  /// The elements of what can be looped over, one by one: a tuple. An error of other values.
  Value elementsIn(const Value &value, SourceSpan span);

  Value notInKernels(const Expr *expr, const char *what, const char *remedy);

  std::string_view keep(const llvm::Twine &text) { return arena.copy(text.str()); }
  bool countStatement(const Stmt *stmt);

  mlir::MLIRContext &context;
  ModuleFinder finder;
  /// That of the source.
  Environment source;
  /// Texts that values point to.
  Arena arena;
  std::vector<Diagnostic> &errors;
  TritonBuilder tb;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<KernelArgument> arguments;
  /// Those that have been asked for. Evaluating one may ask for others: they must not move.
  std::unordered_map<const Definition *, Global> globals;
  /// Of definitions that may only change the value: isMutableBefore.
  llvm::DenseMap<const Definition *, bool> mutableBefore;
  /// Of names in scopes: mayHaveList; false while it is found out.
  std::map<std::pair<const Scope *, llvm::StringRef>, bool> haveLists;
  /// Definitions that were taken with a warning.
  llvm::SmallPtrSet<const Definition *, 2> assumed;
  /// What is known of the conditions of modules; nothing while one is evaluated.
  llvm::DenseMap<const Stmt *, std::optional<bool>> conditions;
  /// Of each `try` that has been looked at: the statement that fails, or else its last one.
  llvm::DenseMap<const Stmt *, const Stmt *> failingStatements;
  bool hasReadModules = false;
  /// What imports lead to, the nearest first, of which so many have been read.
  llvm::SmallVector<const FoundModule *> modulesFound;
  llvm::SmallPtrSet<const FoundModule *, 8> seenModules;
  size_t modulesRead = 0;
  /// Those of them that have not been; null for those that have been since.
  llvm::SmallVector<const FoundModule *> unread;
  llvm::StringSet<> askedAttributes;
  /// The modules that each module imports, with the number of definitions before the import.
  llvm::DenseMap<const FoundModule *,
                 llvm::SmallVector<std::pair<const FoundModule *, unsigned>, 2>>
      moduleImports;
  /// The modules that some statement imports, whether or not they are read.
  llvm::SmallPtrSet<const FoundModule *, 8> loaded;
  /// What is known of the modules that a `try` imports; true while one is looked at.
  llvm::DenseMap<const FoundModule *, std::optional<bool>> moduleRuns;
  /// What is computed while no statement sets attributes, instead of the members of these names.
  struct {
    std::unordered_map<const Definition *, Global> globals;
    llvm::DenseMap<const Definition *, bool> mutableBefore;
    llvm::DenseMap<const Stmt *, std::optional<bool>> conditions;
    llvm::DenseMap<const FoundModule *, std::optional<bool>> moduleRuns;
  } unchanged;
  /// The `from m import *` that are being asked for a name.
  llvm::SmallVector<std::pair<const Definition *, llvm::StringRef>> asking;
  std::unordered_map<const AttributeChange *, ChangedObject> changedObjects;
  /// Statements that set attributes are not looked for (tryUnchanged).
  bool assumesUnchanged = false;
  /// Since then, an attribute was asked for that some statement sets.
  bool asksForChanged = false;
  std::deque<Environment> environments;
  std::deque<Scope> scopes;
  std::deque<ClassObject> classes;
  /// Classes that nothing else than their bodies changes (refuseMadeClass).
  llvm::SmallPtrSet<const ClassObject *, 4> plainClasses;
  std::deque<TupleClass> tupleClasses;
  /// Of classes of source files; null for those that are none.
  llvm::DenseMap<const ClassObject *, const TupleClass *> knownTupleClasses;
  std::deque<FunctionObject> functionObjects;
  llvm::DenseMap<const FoundModule *, const Environment *> moduleEnvironments;
  /// Of functions and classes that stand in modules.
  llvm::DenseMap<const Stmt *, const Environment *> innerEnvironments;
  llvm::DenseMap<const Stmt *, const ClassObject *> classObjects;
  llvm::DenseMap<const Stmt *, const FunctionObject *> functions;
  /// What lambdas are as definitions.
  llvm::DenseMap<const LambdaExpr *, const FunctionDefStmt *> lambdas;
  /// The variables of the comprehensions that run.
  llvm::SmallVector<llvm::StringRef> comprehensionNames;
  /// Those that a decorator of Triton's is called for.
  llvm::DenseMap<std::pair<const FunctionObject *, llvm::StringRef>, const FunctionObject *>
      decoratedFunctions;
  llvm::StringMap<unsigned> functionNames;
  /// The names that the code which runs now sees.
  const Environment *environment = &source;
  /// Null for kernels.
  const Progress *progress = nullptr;
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
