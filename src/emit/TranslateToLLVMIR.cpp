//===- TranslateToLLVMIR.cpp - LLVM dialect to LLVM IR ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/Emit.h"

#include "emit/BackendErrors.h"
#include "emit/CachePolicy.h"
#include "ir/ttg/Dialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace tilewright;
using namespace tilewright::emit;

OwnedModule::OwnedModule() = default;
OwnedModule::OwnedModule(OwnedModule &&) = default;
OwnedModule &OwnedModule::operator=(OwnedModule &&other) {
  // The old module must go before the context that it lives in.
  module = std::move(other.module);
  context = std::move(other.context);
  return *this;
}
OwnedModule::~OwnedModule() { module.reset(); }

namespace {
/// Notes of the lowering on the ops of other dialects.
struct NotesTranslation final : mlir::LLVMTranslationDialectInterface {
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;

  mlir::LogicalResult amendOperation(mlir::Operation *, llvm::ArrayRef<llvm::Instruction *> made,
                                     mlir::NamedAttribute attribute,
                                     mlir::LLVM::ModuleTranslation &) const override {
    auto policy = llvm::dyn_cast<mlir::StringAttr>(attribute.getValue());
    if (!policy || attribute.getName() != ttg::cachePolicyAttrName)
      return mlir::success();
    for (llvm::Instruction *instruction : made)
      if (instruction->mayReadOrWriteMemory())
        setCachePolicy(*instruction, policy.getValue());
    return mlir::success();
  }
};
} // namespace

void tilewright::emit::registerTranslation(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  registry.addExtension(+[](mlir::MLIRContext *, ttg::TritonGPUDialect *dialect) {
    dialect->addInterfaces<NotesTranslation>();
  });
}

namespace {
/// DIScopeForLLVMFuncOpPass dereferences the file of the inner place of every call site, and ops
/// that passes have made need not have one: such a call site becomes its outer place.
struct DropCallSitesWithoutFile
    : mlir::PassWrapper<DropCallSitesWithoutFile, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropCallSitesWithoutFile)

  void runOnOperation() override {
    getOperation().walk([](mlir::Operation *op) {
      if (llvm::isa<mlir::CallSiteLoc>(op->getLoc()))
        op->setLoc(withoutUnknown(op->getLoc()));
    });
  }

private:
  /// Whether that pass finds a file: of several places it takes the first.
  static bool hasFile(mlir::Location loc) {
    return llvm::TypeSwitch<mlir::Location, bool>(loc)
        .Case([](mlir::FileLineColLoc) { return true; })
        .Case([](mlir::NameLoc named) { return hasFile(named.getChildLoc()); })
        .Case([](mlir::FusedLoc fused) { return hasFile(fused.getLocations().front()); })
        .Case([](mlir::CallSiteLoc site) { return hasFile(site.getCallee()); })
        .Default(false);
  }

  static mlir::Location withoutUnknown(mlir::Location loc) {
    auto site = llvm::dyn_cast<mlir::CallSiteLoc>(loc);
    if (!site)
      return loc;
    mlir::Location callee = withoutUnknown(site.getCallee());
    mlir::Location caller = withoutUnknown(site.getCaller());
    return hasFile(callee) ? mlir::CallSiteLoc::get(callee, caller) : caller;
  }
};
} // namespace

void tilewright::emit::addLineInfoPass(mlir::OpPassManager &passes) {
  passes.addPass(std::make_unique<DropCallSitesWithoutFile>());
  // The kind from which back ends make line numbers and nothing else. Of more, some make code that
  // a driver does not optimise.
  mlir::LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = mlir::LLVM::DIEmissionKind::DebugDirectivesOnly;
  passes.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass(options));
}

static Diagnostic asDiagnostic(mlir::Diagnostic &diagnostic) {
  Diagnostic result = makeError(diagnostic.str());
  if (auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
    result.where.file = place.getFilename().str();
    result.where.line = place.getLine();
    result.where.column = place.getColumn();
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes()) {
    result.notes.push_back(asDiagnostic(note));
    result.notes.back().severity = Severity::Note;
  }
  return result;
}

/// Gives the functions' arguments the names that they have in the source, which MLIR's translation
/// leaves out. Loaders of code objects read them.
static void nameArguments(mlir::ModuleOp from, llvm::Module &to) {
  for (auto source : from.getOps<mlir::LLVM::LLVMFuncOp>()) {
    llvm::Function *function = to.getFunction(source.getSymName());
    if (source.isExternal() || !function)
      continue;
    for (auto [argument, value] : llvm::zip_equal(function->args(), source.getArguments())) {
      auto named = value.getLoc()->findInstanceOf<mlir::NameLoc>();
      // LLVM has no names with a null character.
      if (named && !named.getName().getValue().contains('\0'))
        argument.setName(named.getName().getValue());
    }
  }
}

Expected<OwnedModule> tilewright::emit::translateToLLVMIR(mlir::ModuleOp module) {
  std::optional<Diagnostic> error;
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
      return mlir::failure();
    if (!error)
      error = asDiagnostic(diagnostic);
    else
      error->notes.push_back(asDiagnostic(diagnostic));
    return mlir::success();
  });

  OwnedModule result;
  result.context = std::make_unique<llvm::LLVMContext>();
  if (auto failure = runBackendStep(*result.context, [&] {
        result.module = mlir::translateModuleToLLVMIR(module, *result.context);
      })) {
    if (failure->isFatal)
      (void)result.context.release();
    return failure->diagnostic;
  }
  if (!result.module)
    return error ? *error : makeError("the module cannot be translated to LLVM IR");
  nameArguments(module, *result.module);
  return result;
}
