//===- Report.cpp - All that is known of a compilation ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/Report.h"

#include "analysis/RegisterEstimate.h"
#include "compiler/Observer.h"
#include "report/Findings.h"
#include "report/LoopSchedules.h"
#include "report/Occupancy.h"
#include "report/PassHistory.h"
#include "report/SharedMap.h"
#include "report/TileFacts.h"
#include "runtime/files/Files.h"

#include "llvm/Support/Path.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::report;
using compiler::Stage;
namespace json = llvm::json;

namespace {

/// Takes down what the report needs of each stage.
class Recorder : public compiler::Observer {
public:
  explicit Recorder(Places &places) : history(places), places(places) {}

  void afterPass(ModuleOp module, const compiler::PassName &pass) override {
    history.add(module, pass, next);
    // Until the loops are expanded, their ops tell their stages.
    if (next == Stage::TTGIR)
      if (auto found = collectSchedules(module, places); !found.empty())
        schedules = std::move(found);
    if (pass.flag == "allocate-shared-memory")
      shared = collectSharedMap(module, places);
  }

  void afterStep(const llvm::Module &module, StringRef step) override { history.add(module, step); }

  void afterStage(ModuleOp module, Stage stage) override {
    next = stage == Stage::Source ? Stage::TTIR : stage == Stage::TTIR ? Stage::TTGIR : Stage::LLVM;
    if (stage == Stage::TTIR)
      ttir = std::move(PrintedModule(module, places).linked());
    if (stage != Stage::TTGIR)
      return;
    PrintedModule printed(module, places);
    if ((target = ttg::getTarget(module)))
      describeTiles(module, printed);
    ttgir = std::move(printed.linked());
  }

  PassHistory history;
  LinkedText ttir, ttgir;
  TileFacts facts;
  /// As many as the back end is expected to allocate to a thread.
  unsigned registers = 0;
  std::vector<ScheduledLoop> schedules;
  SharedMap shared;
  const target::Target *target = nullptr;

private:
  void describeTiles(ModuleOp module, PrintedModule &printed) {
    facts = collectTileFacts(module, printed, places, *target);
    for (auto function : module.getOps<tt::FuncOp>())
      if (!function.isExternal())
        registers = std::max(registers, transform::estimateMostRegisters(function, *target));
  }

  Places &places;
  /// The stage that passes are on the way to.
  Stage next = Stage::Source;
};

json::Object stage(StringRef id, StringRef title, StringRef language, const LinkedText &text) {
  return json::Object{{"id", id.str()},
                      {"title", title.str()},
                      {"language", language.str()},
                      {"text", text.text},
                      {"links", text.linksJson()}};
}

bool isText(const std::string &code) { return code.find('\0') == std::string::npos; }

/// The machine code as text, with the suffix of its file; empty where there is none as text.
std::pair<std::string, std::string> assemblyOf(const Compilation &compilation) {
  const std::string &target = compilation.kernel.metadata.target;
  if (!compilation.assembly.empty())
    return {compilation.assembly, std::string(assemblySuffix(target).substr(1))};
  if (isText(compilation.kernel.nativeCode))
    return {compilation.kernel.nativeCode, std::string(nativeCodeSuffix(target).substr(1))};
  return {};
}

json::Object describe(const KernelMetadata &kernel, const target::Target &target) {
  json::Array arguments;
  for (const KernelArgument &argument : kernel.arguments) {
    json::Object object{
        {"name", argument.name}, {"type", argument.type}, {"divisibility", argument.divisibility}};
    if (argument.value)
      object["value"] = *argument.value;
    arguments.push_back(std::move(object));
  }
  json::Array stages;
  for (int count : kernel.loopStages)
    stages.push_back(count);
  return json::Object{{"name", kernel.name},
                      {"target", kernel.target},
                      {"target_description", std::string(target.description)},
                      {"num_warps", kernel.numWarps},
                      {"threads_per_warp", kernel.threadsPerWarp},
                      {"num_ctas", kernel.numCtas},
                      {"shared_bytes", kernel.sharedBytes},
                      {"loop_stages", std::move(stages)},
                      {"arguments", std::move(arguments)}};
}

json::Object describe(const target::Target &target) {
  return json::Object{{"shared_bytes", target.shared.maxBytes},
                      {"banks", target.shared.banks},
                      {"bank_bytes", target.shared.bankBytes},
                      {"sector_bytes", target.global.sectorBytes},
                      {"max_registers", target.execution.maxRegistersPerThread}};
}

/// The files that places name, with their texts where they are at hand.
json::Array describeFiles(const Places &places, const Source &source) {
  json::Array files;
  for (const std::string &name : places.files()) {
    json::Object file{{"name", name}};
    if (name == source.name)
      file["text"] = source.text;
    else if (auto text = runtime::readFile(name))
      file["text"] = *text;
    files.push_back(std::move(file));
  }
  return files;
}

json::Array describe(const Places &places) {
  json::Array array;
  for (const Place &place : places.all())
    array.push_back(json::Array{place.file, place.line, place.column, place.caller});
  return array;
}

void addFindings(Report &report, std::vector<Finding> more) {
  llvm::append_range(report.findings, std::move(more));
  sortFindings(report.findings);
  report.document["findings"] = toJson(report.findings);
}

} // namespace

Report report::describeCompilation(const Source &source, const CompileOptions &options,
                                   FileReader reader) {
  Report report;
  // The source is file 0, which the page shows first.
  report.places.fileNumber(source.name);
  Recorder recorder(report.places);
  report.result = compiler::compileObserved(source, options, recorder, std::move(reader));
  if (!report.result || !recorder.target)
    return report;
  const Compilation &compilation = *report.result.compilation;
  const KernelMetadata &kernel = compilation.kernel.metadata;

  json::Array stages;
  if (!recorder.ttir.text.empty())
    stages.push_back(stage("ttir", "TTIR", "mlir", recorder.ttir));
  stages.push_back(stage("ttgir", "TTGIR", "mlir", recorder.ttgir));
  auto llir = linkLlvmIr(compilation.kernel.llir, report.places);
  if (!llir) {
    report.result.diagnostics.push_back(llir.error());
    report.result.compilation.reset();
    return report;
  }
  stages.push_back(stage("llir", "LLVM IR", "llvm", *llir));
  if (auto [text, suffix] = assemblyOf(compilation); !text.empty())
    stages.push_back(
        stage("code", StringRef(suffix).upper(), "assembly", linkAssembly(text, report.places)));

  json::Object &document = report.document;
  document["format"] = formatNumber;
  document["title"] = kernel.target + ", " + std::to_string(kernel.numWarps) + " warps";
  document["kernel"] = describe(kernel, *recorder.target);
  document["machine"] = describe(*recorder.target);
  document["signature"] = options.signature;
  document["stages"] = std::move(stages);
  putInto(document, recorder.facts);
  document["schedules"] = toJson(recorder.schedules);
  document["shared_memory"] = toJson(recorder.shared);
  document["occupancy"] = toJson(estimateOccupancy(kernel, *recorder.target, recorder.registers));
  document["passes"] = recorder.history.json();
  json::Array times;
  for (const StageTime &time : compilation.times)
    times.push_back(json::Array{time.stage, time.milliseconds});
  document["times"] = std::move(times);
  report.findings =
      findInFacts(recorder.facts, report.places, *recorder.target, options.numStages > 1);
  addFindings(report, findInDiagnostics(report.result.diagnostics));
  addFindings(report, findInDiagnostics(compilation.remarks));
  document["files"] = describeFiles(report.places, source);
  document["places"] = describe(report.places);
  return report;
}

void report::addSimulation(Report &report, const simulate::Report &counts) {
  if (auto parsed = json::parse(simulate::toJson(counts)))
    report.document["simulation"] = std::move(*parsed);
  else
    llvm::consumeError(parsed.takeError());
  addFindings(report, findInSimulation(counts));
}

void report::addTrace(Report &report, const simulate::Trace &trace) {
  // Names and lines are said once: there are many events.
  json::Array names, lines, events;
  std::map<std::string, int64_t> nameNumbers;
  std::map<simulate::SourceLine, int64_t> lineNumbers;
  for (const simulate::TraceEvent &event : trace.events) {
    auto [name, isNewName] = nameNumbers.try_emplace(event.name, names.size());
    if (isNewName)
      names.push_back(event.name);
    auto [line, isNewLine] = lineNumbers.try_emplace(event.where, lines.size());
    if (isNewLine)
      lines.push_back(json::Array{event.where.file, event.where.line});
    events.push_back(json::Array{static_cast<int64_t>(event.kind), event.block, event.warp,
                                 name->second, line->second, event.begin, event.duration,
                                 event.units, event.leastUnits});
  }
  report.document["trace"] = json::Object{{"names", std::move(names)},
                                          {"lines", std::move(lines)},
                                          {"events", std::move(events)},
                                          {"is_cut", trace.isCut}};
}

void report::addTuning(Report &report, const std::string &device,
                       const std::vector<MeasuredConfiguration> &configurations) {
  json::Array list;
  for (const MeasuredConfiguration &configuration : configurations) {
    json::Object object{{"text", configuration.text}};
    if (configuration.milliseconds)
      object["ms"] = *configuration.milliseconds;
    else
      object["error"] = configuration.error;
    list.push_back(std::move(object));
  }
  report.document["tuning"] = json::Object{{"device", device}, {"configurations", std::move(list)}};
}

void report::addFault(Report &report, const tilewright::Diagnostic &fault) {
  addFindings(report, findInDiagnostics({fault}));
}
