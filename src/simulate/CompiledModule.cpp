//===- CompiledModule.cpp - LLVM IR text to host code -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/CompiledModule.h"

#include "runtime/launch/LaunchArguments.h"
#include "simulate/VendorOperations.h"
#include "simulate/instrument/Instrument.h"
#include "simulate/machine/WarpOperations.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>

#include <algorithm>
#include <mutex>

using namespace tilewright;
using namespace tilewright::simulate;

CompiledModule::CompiledModule() = default;
CompiledModule::CompiledModule(CompiledModule &&) = default;
CompiledModule &CompiledModule::operator=(CompiledModule &&) = default;
CompiledModule::~CompiledModule() = default;

/// Room for the machine's own functions above a thread's frames.
constexpr size_t machineStackBytes = 96 * 1024;
constexpr size_t largestStackBytes = 64 << 20;
constexpr char entryName[] = "tilewright.entry";

static Diagnostic toDiagnostic(llvm::Error error, const std::string &what) {
  return makeError(what + ": " + llvm::toString(std::move(error)));
}

/// Parsing upgrades debug info of older versions, and to that end verifies the module - and ends
/// the process if it is not valid, which is to be an error of the launch.
static void switchOffUpgrades() {
  static std::once_flag done;
  std::call_once(done, [] {
    auto &options = llvm::cl::getRegisteredOptions();
    if (auto found = options.find("disable-auto-upgrade-debug-info"); found != options.end())
      static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(true);
  });
}

static Expected<std::unique_ptr<llvm::Module>> parse(const CompiledKernel &kernel,
                                                     llvm::LLVMContext &context) {
  std::string file = kernel.metadata.name + ".llir";
  switchOffUpgrades();
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssembly(llvm::MemoryBufferRef(kernel.llir, file), problem, context);
  if (!module) {
    Diagnostic diagnostic = makeFileError(file, problem.getMessage().str());
    diagnostic.where.line = problem.getLineNo();
    diagnostic.where.column = problem.getColumnNo() + 1;
    diagnostic.sourceLine = problem.getLineContents().str();
    return diagnostic;
  }
  std::string complaints;
  llvm::raw_string_ostream stream(complaints);
  if (llvm::verifyModule(*module, &stream))
    return makeFileError(file, "the module is not valid LLVM IR: " + complaints);
  return module;
}

/// Finds the kernel and compares its parameters with the description.
static Expected<llvm::Function *> findKernel(llvm::Module &module, const KernelMetadata &metadata) {
  llvm::Function *function = module.getFunction(metadata.name);
  if (!function || function->isDeclaration())
    return makeFileError(metadata.name + ".llir",
                         "the module does not define the kernel '" + metadata.name + "'");
  size_t passed = 0;
  for (const runtime::KernelParameter &parameter : runtime::parametersOf(metadata)) {
    if (passed < function->arg_size()) {
      llvm::Type *type = function->getArg(passed)->getType();
      bool scalar = type->isIntegerTy() || type->isFloatingPointTy();
      bool plain = scalar && type->getPrimitiveSizeInBits() <= 64 &&
                   !function->getArg(passed)->hasPassPointeeByValueCopyAttr();
      if (parameter.isPointer() ? !type->isPointerTy() : !plain) {
        std::string text;
        llvm::raw_string_ostream(text) << *type;
        return makeFileError(metadata.name + ".llir", "the argument '" + parameter.argument->name +
                                                          "' of type " + parameter.type +
                                                          " is a parameter of type " + text);
      }
    }
    ++passed;
  }
  for (size_t map = 0; map < metadata.tensorMaps.size(); ++map, ++passed)
    if (passed < function->arg_size() && !function->getArg(passed)->hasPassPointeeByValueCopyAttr())
      return makeFileError(metadata.name + ".llir",
                           "parameter " + std::to_string(passed) +
                               " is a tensor map by its description, but is not passed by value");
  passed += metadata.globalScratchBytes > 0;
  if (passed != function->arg_size())
    return makeFileError(metadata.name + ".llir",
                         "the kernel has " + std::to_string(function->arg_size()) +
                             " parameters, its description " + std::to_string(passed));
  return function;
}

/// That the kernel is for blocks and warps such as its description names.
static Expected<void> checkLaunch(const llvm::Function &kernel, const KernelMetadata &metadata,
                                  const VendorOperations &vendor) {
  LaunchBounds stated = vendor.statedLaunch(kernel);
  auto differ = [&](uint64_t says, int described, const std::string &what) -> Expected<void> {
    if (says == 0 || says == static_cast<uint64_t>(described))
      return {};
    return makeFileError(metadata.name + ".llir",
                         "the kernel is for " + what + " of " + std::to_string(says) +
                             " threads, its description has " + std::to_string(described));
  };
  if (Expected<void> blocks = differ(stated.threadsPerBlock, metadata.threadsPerBlock(), "blocks");
      !blocks)
    return blocks;
  return differ(stated.threadsPerWarp, metadata.threadsPerWarp, "warps");
}

/// A thread's stack has a fixed size, which recursion would overflow.
static Expected<void> refuseRecursion(llvm::Module &module) {
  llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      for (llvm::CallGraphNode *node : *component)
        if (llvm::Function *function = node->getFunction())
          return makeError("the simulator cannot run the function '" + function->getName().str() +
                           "', which calls itself");
  return {};
}

/// Makes the host's module of the GPU's: nothing stays that only the GPU's back end
/// understands, and nothing that is no longer true of instrumented functions.
static void retarget(llvm::Module &module) {
  llvm::StripDebugInfo(module);
  for (llvm::NamedMDNode &node : llvm::make_early_inc_range(module.named_metadata()))
    module.eraseNamedMetadata(&node);
  module.setModuleInlineAsm("");
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setAttributes({});
    function.setDoesNotThrow();
    // Codegen then says how large the function's frame is.
    function.addFnAttr("warn-stack-size", "0");
    function.setCallingConv(llvm::CallingConv::C);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    function.setComdat(nullptr);
    function.clearMetadata();
    // Hints for caches say nothing to the host, and make LLVM's instruction selection for x86 go
    // round in circles at a <1 x half>.
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      instruction.setMetadata(llvm::LLVMContext::MD_nontemporal, nullptr);
      // LLVM's instruction selection for x86 loads an element of a vector anew where it is used,
      // after stores and calls that change it.
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && load->getType()->isVectorTy())
        load->setVolatile(true);
    }
  }
}

/// void entry(const i64 *parameters): each parameter is in the low bytes of one word.
static void addEntry(llvm::Module &module, llvm::Function &kernel) {
  llvm::LLVMContext &context = module.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {llvm::PointerType::get(context, 0)}, false);
  llvm::Function *entry =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, entryName, module);
  entry->setDoesNotThrow();
  entry->addFnAttr("warn-stack-size", "0");
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", entry));
  llvm::SmallVector<llvm::Value *> values;
  for (llvm::Argument &argument : kernel.args()) {
    llvm::Value *word = builder.CreateLoad(
        builder.getInt64Ty(),
        builder.CreateConstGEP1_64(builder.getInt64Ty(), entry->getArg(0), values.size()));
    llvm::Type *parameter = argument.getType();
    if (parameter->isPointerTy()) {
      values.push_back(builder.CreateIntToPtr(word, parameter));
      continue;
    }
    llvm::Type *bits = builder.getIntNTy(parameter->getPrimitiveSizeInBits());
    values.push_back(builder.CreateBitCast(builder.CreateTrunc(word, bits), parameter));
  }
  builder.CreateCall(&kernel, values);
  builder.CreateRetVoid();
}

namespace {
/// Adds up the frames of all functions, and keeps what codegen complains about.
struct CodegenListener : llvm::DiagnosticHandler {
  CodegenListener(size_t &stackBytes, std::string &complaint)
      : stackBytes(stackBytes), complaint(complaint) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (auto *frame = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(&info)) {
      stackBytes += frame->getStackSize();
    } else if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(complaint);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }

  size_t &stackBytes;
  std::string &complaint;
};
} // namespace

/// The most values that a block of the module holds at a time, without those that only pass
/// through.
static size_t maxValuesAlive(const llvm::Module &module) {
  size_t most = 0;
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function) {
      llvm::SmallPtrSet<const llvm::Value *, 32> alive;
      for (const llvm::Instruction &instruction : block)
        if (instruction.isUsedOutsideOfBlock(&block))
          alive.insert(&instruction);
      for (const llvm::Instruction &instruction : llvm::reverse(block)) {
        most = std::max<size_t>(most, alive.size());
        alive.erase(&instruction);
        if (!llvm::isa<llvm::PHINode>(instruction))
          for (const llvm::Value *operand : instruction.operand_values())
            if (llvm::isa<llvm::Instruction>(operand))
              alive.insert(operand);
      }
    }
  return most;
}

/// How much the host's code is optimised. What is alive across a memory access is alive across the
/// branches of its check, and sharing registers out well takes time as the square of that: a second
/// for 200 values a thread, minutes for 1000. Kernels with that many get the allocator that does
/// not try; their threads have few rounds of loops each.
static llvm::CodeGenOptLevel levelFor(const llvm::Module &module) {
  constexpr size_t many = 224;
  return maxValuesAlive(module) > many ? llvm::CodeGenOptLevel::None
                                       : llvm::CodeGenOptLevel::Default;
}

static Expected<std::unique_ptr<llvm::orc::LLJIT>> makeJit(const VendorOperations &vendor,
                                                           llvm::CodeGenOptLevel level) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  llvm::Expected<llvm::orc::JITTargetMachineBuilder> host =
      llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return toDiagnostic(host.takeError(), "the host's CPU is not known");
  host->setCodeGenOptLevel(level);
  // These hosts' conversions to bfloat16 make zero of subnormal numbers, and LLVM converts even
  // where values are only moved.
  if (host->getTargetTriple().isX86())
    host->addFeatures({"-avx512bf16", "-avxneconvert"});
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*host)).create();
  if (!jit)
    return toDiagnostic(jit.takeError(), "the JIT compiler could not be set up");

  llvm::orc::SymbolMap symbols;
  for (std::span<const RuntimeSymbol> table :
       {commonRuntimeSymbols(), warpOperationSymbols(), printingSymbols(), vendor.symbols})
    for (const RuntimeSymbol &symbol : table)
      symbols[(*jit)->mangleAndIntern(symbol.name)] = {
          llvm::orc::ExecutorAddr::fromPtr(symbol.address),
          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error error =
          (*jit)->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return toDiagnostic(std::move(error), "the JIT compiler could not be set up");
  return std::move(*jit);
}

Expected<CompiledModule> simulate::compileModule(const CompiledKernel &kernel, Machine &machine,
                                                 const VendorOperations &vendor,
                                                 const SimulatorOptions &options) {
  auto context = std::make_unique<llvm::LLVMContext>();
  size_t stackBytes = 0;
  std::string complaint;
  context->setDiagnosticHandler(std::make_unique<CodegenListener>(stackBytes, complaint));

  Expected<std::unique_ptr<llvm::Module>> module = parse(kernel, *context);
  if (!module)
    return module.error();
  Expected<llvm::Function *> function = findKernel(**module, kernel.metadata);
  if (!function)
    return function.error();
  if (Expected<void> fine = checkLaunch(**function, kernel.metadata, vendor); !fine)
    return fine.error();
  if (Expected<void> fine = refuseRecursion(**module); !fine)
    return fine.error();
  for (llvm::GlobalVariable &variable : (*module)->globals())
    if (!variable.hasName())
      variable.setName("unnamed");

  Expected<std::unique_ptr<llvm::orc::LLJIT>> jit = makeJit(vendor, levelFor(**module));
  if (!jit)
    return jit.error();
  (*module)->setDataLayout((*jit)->getDataLayout());
  (*module)->setTargetTriple((*jit)->getTargetTriple());
  if (Expected<void> done = Instrumenter(**module, **function, machine, vendor, options).run();
      !done)
    return done.error();
  retarget(**module);
  addEntry(**module, **function);
  std::string complaints;
  llvm::raw_string_ostream stream(complaints);
  if (llvm::verifyModule(**module, &stream))
    return makeError("the simulator has produced invalid code, which is a fault of its own: " +
                     complaints);

  CompiledModule compiled;
  compiled.jit = std::move(*jit);
  if (llvm::Error error = compiled.jit->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(*module), std::move(context))))
    return toDiagnostic(std::move(error), "the kernel could not be compiled for the host");
  llvm::Expected<llvm::orc::ExecutorAddr> entry = compiled.jit->lookup(entryName);
  if (!entry)
    return toDiagnostic(entry.takeError(), "the kernel could not be compiled for the host");
  if (!complaint.empty())
    return makeError("the kernel could not be compiled for the host: " + complaint);
  if (stackBytes > largestStackBytes)
    return makeError("each thread of the kernel needs " + std::to_string(stackBytes) +
                         " bytes of stack",
                     "use smaller tiles or more warps");
  compiled.entry = entry->toPtr<Machine::EntryPoint>();
  compiled.stackBytes = stackBytes + machineStackBytes;
  return compiled;
}
