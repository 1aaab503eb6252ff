//===- KernelBuilder.h - Code generation from kernels to tt ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Walks the statements of a kernel, and of the jitted functions that it calls, as Python would run
// them. What is constant is decided while walking: an `if` on a constant takes one branch, a
// static_range is unrolled. The rest becomes structured control flow, and the variables that it
// assigns become its results.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_CODEGEN_KERNELBUILDER_H
#define TILEWRIGHT_FRONTEND_CODEGEN_KERNELBUILDER_H

#include "frontend/codegen/CompileKernel.h"
#include "frontend/codegen/KernelParameters.h"
#include "frontend/codegen/Ranges.h"
#include "frontend/codegen/Variables.h"
#include "frontend/interpret/Interpreter.h"
#include "ir/tt/Dialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tilewright::frontend {

class KernelBuilder : private KernelCode {
public:
  /// As compileKernel.
  KernelBuilder(mlir::MLIRContext &context, const ParsedModule &source,
                std::vector<Diagnostic> &errors, const CompileFacts &facts, Imports *imports)
      : interpreter(context, source, errors, facts, imports, this), resolver(interpreter.resolver),
        now(interpreter.now), tb(now.tb), parameters(interpreter) {}

  /// The module with the kernel; null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> run(llvm::StringRef kernelName, llvm::StringRef signature);

  /// After `run`: the kernel's parameters, constants included.
  std::vector<KernelArgument> takeArguments() { return std::move(parameters.arguments); }
  /// After `run`: what the kernel prints while it is compiled.
  std::vector<Diagnostic> takeNotes() { return tb.takeNotes(); }
  /// After `run`: what the kernel depends on besides its source.
  std::vector<InputFile> inputs() const { return resolver.environments.finder.inputs(); }
  std::vector<InputVariable> inputVariables() const;

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
  enum class Flow { Next, Returned, Failed };

  /// A function while its code is generated.
  struct KernelFrame : Frame {
    /// The innermost loop that is not unrolled, if any.
    const Stmt *loop = nullptr;
    /// Branches with a continuation that we are inside of.
    unsigned continuations = 0;
  };
  struct Specialization {
    tt::FuncOp op;
    /// The result, with the SSA values of the function's own body.
    Value result;
  };

  // The kernel and the functions that it calls (Kernel.cpp, Calls.cpp).

  void describeLaunch();
  tt::FuncOp makeKernelFunction(const FunctionObject *kernel);
  /// Generates the body into the entry block, which has its arguments already. The locals of
  /// `newFrame` hold the parameters, but for a kernel's; its result is set.
  bool generateBody(const FunctionObject *function, tt::FuncOp op, KernelFrame &newFrame,
                    bool isKernel = false);
  Value callFunction(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given) override;
  Value specializeWarps(Arguments &arguments) override;
  Specialization *specialize(const FunctionObject *function, llvm::ArrayRef<Value> arguments);
  /// A symbol name from a key: letters, digits and underscores, different for different keys.
  std::string symbolFor(llvm::StringRef key);

  // Statements (Statements.cpp).

  Flow sequence(Statements statements, const Continuation *next);
  Flow sequence(const Body &body, const Continuation *next) {
    return sequence({body.begin(), body.end()}, next);
  }
  Flow statement(const Stmt *stmt);
  Flow assignment(const AssignStmt *stmt);
  Flow annotatedAssignment(const AnnAssignStmt *stmt);
  Flow augmentedAssignment(const AugAssignStmt *stmt);
  Flow returnStatement(const ReturnStmt *stmt);
  Flow assertion(const AssertStmt *stmt);
  bool countStatement(const Stmt *stmt);

  // Branches (ControlFlow.cpp).

  Flow dynamicIf(const IfStmt *stmt, const Value &condition);
  /// An `if` that may return from the function: each branch takes along what follows, up to
  /// the end of the function, so that both end with a return.
  Flow returningIf(const IfStmt *stmt, const Value &condition, Statements rest,
                   const Continuation *next);
  Value choose(const IfExpExpr *expr, Value condition) override;

  // Loops (Loops.cpp).

  /// The variables that exist before a loop and that its body assigns to.
  struct Carried {
    llvm::SmallVector<llvm::StringRef> names;
    llvm::SmallVector<Value> initial;
    llvm::SmallVector<mlir::Value> flat;
  };
  Flow forLoop(const ForStmt *stmt);
  Flow dynamicFor(const ForStmt *stmt, const Arguments &range);
  Flow unrolledFor(const ForStmt *stmt, const Arguments &range);
  Flow whileLoop(const WhileStmt *stmt);
  /// The test of a `while`: an expression, or tl.condition of one.
  Value whileCondition(const Expr *test, bool &disableLicm);
  bool carriedBy(const Stmt *loop, const Body &body, const Expr *target, Carried &carried);
  /// The statements of a loop's body; `yielded` gets what the body leaves in its variables.
  bool loopBody(const Stmt *loop, const Body &body, const Carried &carried,
                llvm::SmallVectorImpl<mlir::Value> &yielded);
  bool yieldCarried(const Stmt *loop, const Carried &carried,
                    llvm::SmallVectorImpl<mlir::Value> &values);
  void setCarried(const Carried &carried, mlir::ValueRange values);
  /// After the loop, names that only its body assigns have no value.
  void forgetAssigned(const Stmt *loop, const NameSet &assigned, const Variables &before);

  /// The warps of the partition whose functions are compiled now; 0 outside of one.
  unsigned partitionWarps = 0;
  Interpreter interpreter;
  Resolver &resolver;
  Execution &now;
  TritonBuilder &tb;
  KernelParameters parameters;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::StringMap<Specialization> specializations;
  llvm::StringSet<> symbols;
  /// The function whose code is generated.
  KernelFrame *frame = nullptr;
  /// Statements generated so far; unrolling could make them too many.
  unsigned statements = 0;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_CODEGEN_KERNELBUILDER_H
