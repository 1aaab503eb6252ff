//===- Compiler.cpp - Source text to machine code -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Compiler.h"

#include "compiler/Diagnostics.h"
#include "compiler/LaunchChecks.h"
#include "compiler/Metadata.h"
#include "compiler/Observer.h"
#include "compiler/PassDump.h"
#include "compiler/Pipeline.h"
#include "compiler/ReadIR.h"
#include "compiler/Session.h"
#include "emit/Emit.h"
#include "frontend/codegen/CompileKernel.h"
#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "lower/core/Passes.h"
#include "lower/core/types/VerifyTypes.h"
#include "runtime/files/Files.h"
#include "runtime/launch/LaunchArguments.h"
#include "runtime/launch/TensorMaps.h"
#include "target/Cluster.h"
#include "target/Target.h"
#include "tilewright/CompileSession.h"
#include "transform/pipeline/schedule/LoopSchedule.h"
#include "vendor/Vendors.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::compiler;

//===--------------------------------------------------------------------------===//
// Sources
//===--------------------------------------------------------------------------===//

Expected<Source> tilewright::readSource(const std::string &path) {
  auto language =
      llvm::StringSwitch<std::optional<SourceLanguage>>(llvm::sys::path::extension(path))
          .Case(".py", SourceLanguage::Python)
          .Cases({".ttir", ".mlir"}, SourceLanguage::TTIR)
          .Case(".ttgir", SourceLanguage::TTGIR)
          .Default(std::nullopt);
  if (!language)
    return makeFileError(path, "cannot tell from its name what the file holds",
                         "kernels come in files that end in .py, .ttir or .ttgir");
  auto text = runtime::readFile(path);
  if (!text)
    return text.error();
  return Source{path, std::move(*text), *language};
}

//===--------------------------------------------------------------------------===//
// One compilation
//===--------------------------------------------------------------------------===//

namespace {

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os.SetBufferSize(1 << 14);
  OpPrintingFlags flags;
  // What was given has been verified, and the printer would verify what our passes have made.
  flags.enableDebugInfo().printNameLocAsPrefix().assumeVerified();
  module.print(os, flags);
  os << '\n';
  os.flush();
  return text;
}

/// The steps of one compilation. Each gives whether to go on; what went wrong is in
/// `result.diagnostics`.
class Run {
public:
  Run(Session &session, Worker &worker, const CompileOptions &options, Observer *observer,
      CompileResult &result)
      : session(session), worker(worker), context(*worker.context), source(session.source),
        options(options), observer(observer), result(result) {}

  bool run() {
    return checkOptions() && readInput() && makeTTIR() && makeTTGIR() && makeNative() &&
           !hasError(result.diagnostics);
  }

  Compilation output;

private:
  bool fail(tilewright::Diagnostic diagnostic) {
    result.diagnostics.push_back(std::move(diagnostic));
    return false;
  }

  /// Runs `step` and notes how long it took under `stage`.
  template <typename Step> bool timed(const char *stage, Step step) {
    auto start = std::chrono::steady_clock::now();
    bool good = step();
    std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    output.times.push_back({stage, taken.count()});
    return good;
  }

  void tell(Stage stage) {
    if (observer)
      observer->afterStage(*module, stage);
  }

  bool checkOptions();
  bool checkLaunch();
  bool readInput();
  bool readPython();
  bool readIR();
  bool isGluon();
  bool makeTTIR();
  bool makeTTGIR();
  void limitRegisters();
  bool makeNative();
  bool lowerWithExtensions(const vendor::Vendor &vendor, OwningOpRef<ModuleOp> &extended);
  tilewright::Diagnostic describe(tilewright::Diagnostic error) const;
  bool runPasses(llvm::function_ref<void(OpPassManager &)> addPasses);

  Session &session;
  Worker &worker;
  MLIRContext &context;
  const Source &source;
  const CompileOptions &options;
  /// Null where nobody looks on.
  Observer *const observer;
  CompileResult &result;

  const target::Target *target = nullptr;
  PipelineOptions pipeline;
  std::optional<PassDump> dump;
  OwningOpRef<ModuleOp> module;
};

} // namespace

bool Run::checkOptions() {
  auto found = target::Target::parse(options.target ? std::string_view(*options.target)
                                                    : OptionDefaults::target);
  if (!found)
    return fail(makeError(found.error(), "choose one with --target"));
  target = *found;
  // Said before anything else is done where the target is known already: see makeNative.
  if (options.target || source.language != SourceLanguage::TTGIR)
    if (auto vendor = vendor::get(*target); !vendor)
      return fail(vendor.error());
  if (options.numStages < 0)
    return fail(
        makeError("there cannot be " + std::to_string(options.numStages) + " stages of pipelining",
                  "give --num-stages a number of at least 1, or 0 for a loop as it stands"));
  const int threadsPerWarp =
      options.threadsPerWarp.value_or(static_cast<int>(target->execution.threadsPerWarp));
  // TTGIR may name another target, whose warps these are: see resolveTarget.
  const bool targetIsKnown = options.target || source.language != SourceLanguage::TTGIR;
  if (targetIsKnown && !target->hasWarpSize(static_cast<unsigned>(threadsPerWarp)))
    return fail(makeError(std::string(target->name) + " has no warps of " +
                              std::to_string(threadsPerWarp) + " threads",
                          "give --threads-per-warp " + target->warpSizesText()));
  const int maxWarps = static_cast<int>(
      target->execution.maxThreadsPerBlock /
      (target->hasWarpSize(threadsPerWarp) ? threadsPerWarp : target->execution.threadsPerWarp));
  const int numWarps = options.numWarps.value_or(OptionDefaults::numWarps);
  if (numWarps < 1 || numWarps > maxWarps || !llvm::isPowerOf2_32(numWarps)) {
    // Programs for Triton look for its words.
    const std::string asTriton =
        numWarps > maxWarps
            ? ": out of resource: threads, Required: " +
                  std::to_string(int64_t(numWarps) * threadsPerWarp) +
                  ", Hardware limit: " + std::to_string(target->execution.maxThreadsPerBlock)
            : "";
    return fail(makeError("a block cannot have " + std::to_string(numWarps) + " warps" + asTriton,
                          "give --num-warps a power of two from 1 to " + std::to_string(maxWarps)));
  }
  const int numCtas = options.numCtas.value_or(OptionDefaults::numCtas);
  if (Result<void> fits = target::verifyClusterBlocks(*target, numCtas); !fits && targetIsKnown)
    return fail(makeError(fits.error(), target::maxClusterBlocks(*target) > 1
                                            ? "give --num-ctas one of these"
                                            : "leave --num-ctas out, or compile for one of " +
                                                  target::clusterTargetsText()));
  if (targetIsKnown && !checkLaunch())
    return false;
  pipeline = {target,
              static_cast<unsigned>(numWarps),
              static_cast<unsigned>(threadsPerWarp),
              std::max(options.numStages, 1),
              options.plainLaunch,
              static_cast<unsigned>(numCtas),
              static_cast<unsigned>(options.launch.matrixNonKDim.value_or(0)),
              static_cast<unsigned>(options.launch.kPack.value_or(0)),
              options.launch.splitBarriers.value_or(0) != 0,
              options.exactSchedules,
              options.exactLayouts,
              options.specializeAsked};
  if (!options.dumpPassesDirectory.empty()) {
    auto created = PassDump::create(options.dumpPassesDirectory);
    if (!created)
      return fail(created.error());
    dump = std::move(*created);
  }
  return true;
}

bool Run::checkLaunch() {
  checkLaunchOptions(options.launch, *target, result.diagnostics);
  return !hasError(result.diagnostics);
}

bool Run::readPython() {
  const Session::ParsedPython &parsed = session.parsedPython();
  if (!parsed)
    return fail(parsed.error());
  KernelMetadata &metadata = output.kernel.metadata;
  frontend::Imports imports{session.files, options.importPaths};
  const frontend::CompileFacts facts{options.debug, pipeline.threadsPerWarp, pipeline.numWarps,
                                     pipeline.numCTAs, std::string(target->name)};
  std::vector<tilewright::Diagnostic> found;
  module = frontend::compileKernel(context, **parsed, options.kernel, options.signature,
                                   metadata.arguments, found, facts,
                                   session.source.isSelfContained ? nullptr : &imports);
  llvm::move(found, std::back_inserter(result.diagnostics));
  if (!module)
    return false;
  output.inputs = std::move(imports.inputs);
  output.inputVariables = std::move(imports.variables);
  auto functions = module->getOps<tt::FuncOp>();
  metadata.name =
      (*llvm::find_if(functions, [](tt::FuncOp function) { return function.isPublic(); }))
          .getName()
          .str();
  return true;
}

bool Run::readIR() {
  if (!options.signature.empty())
    return fail(makeError("--signature is for Python sources: IR says its types itself",
                          "leave --signature out"));
  if (!worker.parsedIR)
    worker.parsedIR = parseIR(context, source, result.diagnostics);
  if (!worker.parsedIR)
    return false;
  module = selectKernel(*worker.parsedIR, source, options, result.diagnostics);
  // The maps are described in the end, when there may be more.
  KernelMetadata given;
  return module && succeeded(lower::verifyTypes(*module, /*allowsIndex=*/true)) &&
         describeTensorMaps(*module, given) && describeKernel(*module, output.kernel.metadata);
}

bool Run::readInput() {
  bool good = timed("frontend", [&] {
    return source.language == SourceLanguage::Python ? readPython() : readIR();
  });
  if (good && dump)
    dump->afterPass(*module, {"Source", ""});
  if (good && observer)
    observer->afterPass(*module, {"Source", ""});
  if (good)
    tell(Stage::Source);
  return good;
}

bool Run::runPasses(llvm::function_ref<void(OpPassManager &)> addPasses) {
  PassManager passes(&context, ModuleOp::getOperationName());
#ifdef NDEBUG
  // Passes that produce invalid IR are found by their tests and by debug builds.
  passes.enableVerifier(false);
#endif
  if (dump)
    observe(passes, *dump);
  if (observer)
    observe(passes, *observer);
  addPasses(passes);
  if (succeeded(passes.run(*module)) && !hasError(result.diagnostics)) {
    if (dump && dump->error())
      return fail(*dump->error());
    return true;
  }
  // A pass that fails says why; this is for one that forgets.
  if (!hasError(result.diagnostics))
    fail(makeFileError(source.name,
                       "the kernel could not be compiled for " + std::string(target->name),
                       "please report this with the kernel and the command"));
  return false;
}

/// Whether the source is a kernel of Gluon, which has layouts from the start.
bool Run::isGluon() {
  return source.language == SourceLanguage::Python && (*module)->hasAttr(ttg::numWarpsAttrName);
}

bool Run::makeTTIR() {
  if (source.language == SourceLanguage::TTGIR || isGluon())
    return true;
  return timed("ttir", [&] {
    if (!runPasses(
            [&](OpPassManager &passes) { addTTIRPasses(passes, vendor::find(*target), pipeline); }))
      return false;
    output.ttir = textOf(*module);
    tell(Stage::TTIR);
    return true;
  });
}

/// Writes the limit into the module, as Triton does: its TTGIR says all that is compiled then.
void Run::limitRegisters() {
  if (options.launch.maxRegisters)
    (*module)->setAttr(ttg::maxRegistersAttrName,
                       Builder(&context).getI32IntegerAttr(*options.launch.maxRegisters));
}

bool Run::makeTTGIR() {
  KernelMetadata &metadata = output.kernel.metadata;
  if (source.language == SourceLanguage::TTGIR) {
    target = resolveTarget(*module, source, options, result.diagnostics);
    if (!target || (!options.target && !checkLaunch()))
      return false;
    pipeline.target = target;
    pipeline.numWarps = ttg::getNumWarps(*module);
    pipeline.threadsPerWarp = ttg::getThreadsPerWarp(*module);
    pipeline.numCTAs = ttg::getNumCTAs(*module);
    limitRegisters();
    output.ttgir = textOf(*module);
  } else {
    if (!timed("ttgir", [&] {
          const bool hasLayouts = isGluon();
          if (!runPasses([&](OpPassManager &passes) {
                (hasLayouts ? addGluonPasses : addTTGIRPasses)(passes, vendor::find(*target),
                                                               pipeline);
              }))
            return false;
          limitRegisters();
          output.ttgir = textOf(*module);
          return true;
        }))
      return false;
  }
  tell(Stage::TTGIR);
  metadata.target = std::string(target->name);
  metadata.numWarps = static_cast<int>(ttg::getTotalNumWarps(*module));
  metadata.threadsPerWarp = static_cast<int>(pipeline.threadsPerWarp);
  metadata.numCtas = static_cast<int>(pipeline.numCTAs);
  metadata.isCooperative = options.launch.cooperativeGrid.value_or(0);
  // Launches before do not overlap: there is nothing to wait for then.
  metadata.isProgrammatic =
      options.launch.programmaticLaunch.value_or(0) && target::maxClusterBlocks(*target) > 1;
  return true;
}

/// What the back end says of the kernel, with the line of the source and the target.
tilewright::Diagnostic Run::describe(tilewright::Diagnostic error) const {
  if (auto text = session.textOf(error.where.file))
    error.sourceLine = sourceLineOf(*text, error.where.line);
  if (error.remedy.empty())
    error.remedy = "the kernel was compiled for " + std::string(target->name);
  return error;
}

/// Makes `extended` the kernel as the code generator alone gets it, where extensions have
/// instructions of their own for some of its ops; null where they do not.
bool Run::lowerWithExtensions(const vendor::Vendor &vendor, OwningOpRef<ModuleOp> &extended) {
  extended = module->clone();
  if (!vendor.useExtensions(*extended, *target)) {
    extended = {};
    return true;
  }
  std::swap(module, extended);
  const bool good =
      runPasses([&](OpPassManager &passes) { addLLVMPasses(passes, &vendor, pipeline); });
  std::swap(module, extended);
  return good;
}

bool Run::makeNative() {
  Expected<const vendor::Vendor *> vendor = vendor::get(*target);
  if (!vendor)
    return fail(vendor.error());
  OwningOpRef<ModuleOp> extended;
  if (options.useExtensions && !lowerWithExtensions(**vendor, extended))
    return false;
  if (!timed("llir", [&] {
        return runPasses([&](OpPassManager &passes) { addLLVMPasses(passes, *vendor, pipeline); });
      }))
    return false;
  tell(Stage::LLVM);
  if (!describeTensorMaps(*module, output.kernel.metadata))
    return false;
  const size_t parameterCount = runtime::parametersOf(output.kernel.metadata).size();
  for (const TensorMapRecipe &recipe : output.kernel.metadata.tensorMaps)
    if (!runtime::isTensorMap(recipe, parameterCount))
      return fail(makeFileError(source.name, "ttg.tensor_maps does not fit the kernel's arguments",
                                "leave it out, with the kernel's last arguments"));
  if (options.plainLaunch && !output.kernel.metadata.tensorMaps.empty())
    return fail(makeFileError(source.name,
                              "the kernel takes tensor maps, which no plain launch makes",
                              "leave --launch plain out, or compile the kernel's source"));
  // Warps without work may have filled the last of the groups that share registers.
  output.kernel.metadata.numWarps =
      std::max(output.kernel.metadata.numWarps, static_cast<int>(ttg::getTotalNumWarps(*module)));
  if (auto shared = (*module)->getAttrOfType<IntegerAttr>(ttg::sharedBytesAttrName))
    output.kernel.metadata.sharedBytes = shared.getInt();
  if (auto stages = (*module)->getAttrOfType<DenseI32ArrayAttr>(ttg::loopStagesAttrName))
    output.kernel.metadata.loopStages.assign(stages.asArrayRef().begin(),
                                             stages.asArrayRef().end());
  if (auto scratch = (*module)->getAttrOfType<IntegerAttr>(ttg::globalScratchBytesAttrName))
    output.kernel.metadata.globalScratchBytes = scratch.getInt();
  auto limit = (*module)->getAttrOfType<IntegerAttr>(ttg::maxRegistersAttrName);
  const emit::EmitOptions emitOptions = {
      .fuseMultiplyAdd = options.launch.fuseMultiplyAdd.value_or(1) != 0,
      .useExtensions = options.useExtensions,
      .maxRegisters = limit ? static_cast<int>(limit.getInt()) : 0,
      .wavesPerSimd = options.launch.wavesPerEu.value_or(0)};
  emit::StepLog log;
  if (dump || observer)
    log = [&](std::string_view step, const llvm::Module &after) {
      if (dump)
        dump->afterStep(after, step);
      if (observer)
        observer->afterStep(after, step);
    };
  auto code = emit::emitCode(*module, *(*vendor)->createBackend(*target), emitOptions, log);
  if (!code)
    return fail(describe(code.error()));
  if (dump && dump->error())
    return fail(*dump->error());
  if (extended) {
    auto native = emit::emitCode(*extended, *(*vendor)->createBackend(*target), emitOptions, log);
    if (!native)
      return fail(describe(native.error()));
    native->llir = std::move(code->llir);
    code = std::move(native);
  }
  output.times.back().milliseconds +=
      code->times.translate + code->times.optimize + code->times.print;
  output.times.push_back(
      {std::string(nativeCodeSuffix(target->name).substr(1)), code->times.generate});
  output.kernel.metadata.kernargBytes = static_cast<int>(code->kernargBytes);
  output.kernel.metadata.buildOptions = std::move(code->buildOptions);
  output.kernel.llir = std::move(code->llir);
  output.kernel.nativeCode = std::move(code->nativeCode);
  output.assembly = std::move(code->assembly);
  return true;
}

CompileResult compiler::compileSpecialization(Session &session, Worker &worker,
                                              const CompileOptions &options, Observer *observer) {
  CompileResult result;
  auto textOf = [&](std::string_view file) { return session.textOf(file); };
  DiagnosticCollector collector(&*worker.context, session.source.name, textOf, result.diagnostics);
  Run compilation(session, worker, options, observer, result);
  const bool good = compilation.run();
  compilation.output.remarks = takeRemarks(result.diagnostics);
  if (good)
    result.compilation = std::move(compilation.output);
  return result;
}

//===--------------------------------------------------------------------------===//
// Compiler
//===--------------------------------------------------------------------------===//

Compiler::Compiler(std::shared_ptr<Cache> cache)
    : contexts(std::make_shared<ContextPool>()), cache(std::move(cache)) {}
Compiler::~Compiler() = default;

CompileSession Compiler::open(Source source, FileReader reader) {
  return CompileSession(
      std::make_unique<Session>(std::move(source), std::move(reader), contexts, cache));
}

CompileResult Compiler::compile(const Source &source, const CompileOptions &options) {
  return open(source).compile(options);
}
