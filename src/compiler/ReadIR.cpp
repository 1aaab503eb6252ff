//===- ReadIR.cpp - Kernels given as IR ---------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/ReadIR.h"

#include "compiler/Diagnostics.h"
#include "compiler/IRBrackets.h"
#include "compiler/ParserRemedies.h"
#include "compiler/StructureBranches.h"
#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "lower/core/types/VerifyLayouts.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::compiler;

/// MLIR's parser and all that walks IR call themselves for what is nested.
constexpr unsigned deepestNesting = 256;

OwningOpRef<ModuleOp> compiler::parseIR(MLIRContext &context, const Source &source,
                                        std::vector<tilewright::Diagnostic> &diagnostics) {
  auto fail = [&](tilewright::Diagnostic diagnostic) {
    diagnostics.push_back(std::move(diagnostic));
    return nullptr;
  };
  if (isBytecode(llvm::MemoryBufferRef(source.text, source.name)))
    return fail(makeFileError(source.name, "the module is in MLIR's bytecode, not text",
                              "have it printed as text"));
  if (size_t at = findTooDeep(source.text, deepestNesting); at != StringRef::npos)
    return fail(
        makeErrorAt(source.name, source.text, at, 1,
                    "brackets are nested more than " + std::to_string(deepestNesting) + " deep",
                    "no kernel needs that: the file seems to be damaged"));
  // Verified when all regions are what the dialects say.
  const ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto parsed = parseSourceString<ModuleOp>(source.text, config, source.name);
  if (parsed && succeeded(structureBranches(*parsed)) && succeeded(verify(*parsed)))
    return parsed;
  addParserRemedies(diagnostics, context);
  return nullptr;
}

/// Leaves `kernel` and the functions that it calls, directly or not, and makes those private.
static void keepOnly(ModuleOp module, tt::FuncOp kernel) {
  for (tt::FuncOp function : module.getOps<tt::FuncOp>())
    if (function != kernel)
      function.setPrivate();
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.enableVerifier(false);
  passes.addPass(createSymbolDCEPass());
  // It fails only where an op's symbols cannot be told: no dialect here has such an op.
  [[maybe_unused]] LogicalResult done = passes.run(module);
  assert(succeeded(done));
}

/// Leaves nothing to return where nobody gets it.
static void dropResults(tt::FuncOp kernel) {
  if (kernel.getNumResults() == 0)
    return;
  kernel.emitWarning("the kernel '" + kernel.getName() + "' returns a value, which nobody gets")
          .attachNote()
      << "store it through a pointer";
  kernel.walk([](tt::ReturnOp op) { op->setOperands({}); });
  kernel.removeResAttrsAttr();
  kernel.setFunctionType(
      FunctionType::get(kernel.getContext(), kernel.getArgumentTypes(), /*results=*/{}));
}

OwningOpRef<ModuleOp> compiler::selectKernel(ModuleOp parsed, const Source &source,
                                             const CompileOptions &options,
                                             std::vector<tilewright::Diagnostic> &diagnostics) {
  auto fail = [&](std::string message, std::string remedy) {
    diagnostics.push_back(makeFileError(source.name, std::move(message), std::move(remedy)));
    return nullptr;
  };
  OwningOpRef<ModuleOp> module = parsed.clone();
  SmallVector<tt::FuncOp> kernels;
  for (auto function : module->getOps<tt::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      kernels.push_back(function);
  if (kernels.empty())
    return fail("the module has no kernel", "a kernel is a `tt.func public` with a body");
  std::string names;
  for (tt::FuncOp kernel : kernels)
    names += (names.empty() ? "" : ", ") + kernel.getName().str();
  if (options.kernel.empty() && kernels.size() > 1)
    return fail("the module has several kernels: " + names, "choose one with --kernel");
  tt::FuncOp *chosen = llvm::find_if(kernels, [&](tt::FuncOp kernel) {
    return options.kernel.empty() || kernel.getName() == options.kernel;
  });
  if (chosen == kernels.end())
    return fail("there is no kernel '" + options.kernel + "'", "the module has: " + names);
  keepOnly(*module, *chosen);
  dropResults(*chosen);
  return module;
}

const target::Target *compiler::resolveTarget(ModuleOp module, const Source &source,
                                              const CompileOptions &options,
                                              std::vector<tilewright::Diagnostic> &diagnostics) {
  auto fail = [&](std::string message, std::string remedy) {
    diagnostics.push_back(makeFileError(source.name, std::move(message), std::move(remedy)));
    return nullptr;
  };
  Builder builder(module.getContext());
  std::string name = ttg::getTargetName(module).str();
  if (name.empty()) {
    if (!options.target)
      return fail("the module does not say which target its layouts are for",
                  "set its attribute ttg.target, or give --target");
    name = *options.target;
    module->setAttr(ttg::targetAttrName, builder.getStringAttr(name));
  } else if (options.target && *options.target != name) {
    return fail("the module's layouts are for " + name + ", and cannot be compiled for " +
                    *options.target,
                "leave --target out, or compile the kernel from Python or TTIR");
  }
  auto found = target::Target::parse(name);
  if (!found)
    return fail(found.error(), "set the module's attribute ttg.target");
  if (options.numWarps && !module->hasAttr(ttg::numWarpsAttrName))
    module->setAttr(ttg::numWarpsAttrName, builder.getI32IntegerAttr(*options.numWarps));
  if (options.threadsPerWarp && !module->hasAttr(ttg::threadsPerWarpAttrName))
    module->setAttr(ttg::threadsPerWarpAttrName,
                    builder.getI32IntegerAttr(*options.threadsPerWarp));
  if (failed(lower::verifyLayouts(module, **found)))
    return nullptr;
  const int warps = static_cast<int>(ttg::getNumWarps(module));
  if (options.numWarps && *options.numWarps != warps)
    return fail("the module's layouts are for " + std::to_string(warps) +
                    " warps a block, and cannot be compiled for " +
                    std::to_string(*options.numWarps),
                "leave --num-warps out, or compile the kernel from Python or TTIR");
  const int lanes = static_cast<int>(ttg::getThreadsPerWarp(module));
  if (options.threadsPerWarp && *options.threadsPerWarp != lanes)
    return fail("the module's layouts are for " + std::to_string(lanes) +
                    " threads a warp, and cannot be compiled for " +
                    std::to_string(*options.threadsPerWarp),
                "leave --threads-per-warp out, or compile the kernel from Python or TTIR");
  const int blocks = static_cast<int>(ttg::getNumCTAs(module));
  if (options.numCtas && *options.numCtas != blocks)
    return fail("the module's layouts are for clusters of " + std::to_string(blocks) +
                    " blocks, and cannot be compiled for " + std::to_string(*options.numCtas),
                "leave --num-ctas out, or compile the kernel from Python or TTIR");
  if (Attribute limit = module->getAttr(ttg::maxRegistersAttrName)) {
    auto number = dyn_cast<IntegerAttr>(limit);
    if (!number || !number.getType().isInteger(32) || number.getInt() <= 0)
      return fail("the module's ttg.maxnreg is no positive i32",
                  "write it like \"ttg.maxnreg\" = 128 : i32");
  }
  return *found;
}
