//===- Findings.cpp - What makes a kernel slow, with its place ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/Findings.h"

#include "llvm/Support/FormatVariadic.h"

#include <tuple>

using namespace llvm;
using namespace tilewright;
using namespace tilewright::report;

namespace {

std::string times(double factor) { return formatv("{0:f1}", factor).str(); }

/// More than this many of the sectors that hold the data are worth a word; more than twice as many
/// are likely to be what the kernel waits for.
constexpr double tolerableWaste = 1.5, heavyWaste = 3;

/// "tt.load" as users call it.
std::string nameOf(const GlobalFact &fact) {
  if (fact.isAsync)
    return "copy to shared memory";
  return fact.isStore ? "store" : "load";
}

class Finder {
public:
  Finder(const TileFacts &facts, const Places &places, const target::Target &target,
         bool asksForStages)
      : facts(facts), places(places), target(target), asksForStages(asksForStages) {}

  std::vector<Finding> run() {
    each(facts.global, &Finder::judgeGlobal);
    each(facts.conversions, &Finder::judgeConversion);
    each(facts.local, &Finder::judgeLocal);
    each(facts.products, &Finder::judgeProduct);
    each(facts.loops, &Finder::judgeLoop);
    return std::move(findings);
  }

private:
  template <typename Fact>
  void each(const std::vector<Fact> &list, void (Finder::*judge)(const Fact &)) {
    for (const Fact &fact : list)
      (this->*judge)(fact);
  }

  Finding &begin(const OpFact &fact, std::string kind, int severity) {
    Finding finding;
    finding.kind = std::move(kind);
    finding.severity = severity;
    finding.irLine = fact.line + 1;
    if (!fact.places.empty()) {
      const Place &place = places.all()[fact.places.front()];
      finding.file = places.files()[place.file];
      finding.line = place.line;
      finding.column = place.column;
    }
    findings.push_back(std::move(finding));
    return findings.back();
  }

  void judgeGlobal(const GlobalFact &fact) {
    const WarpAccess &access = fact.access;
    const double waste = double(access.sectors) / double(access.leastSectors);
    // What fits a few sectors costs little however it lies.
    if (waste <= tolerableWaste || fact.bytes <= 4 * target.global.sectorBytes)
      return;
    Finding &finding = begin(fact, "uncoalesced", waste >= heavyWaste || fact.loopDepth ? 2 : 1);
    finding.message =
        formatv("this {0} is not coalesced: a warp touches {1} sectors of {2} bytes for {3} bytes, "
                "{4} times the {5} that hold them",
                nameOf(fact), access.sectors, target.global.sectorBytes, access.bytes, times(waste),
                access.leastSectors)
            .str();
    finding.remedy =
        "let neighbouring elements of the tile have neighbouring addresses: exchange the "
        "dimensions "
        "of the tile, or transpose the tensor in memory; if a stride is 1 or divisible, say so in "
        "the signature or by tl.multiple_of";
  }

  void judgeConflicts(const OpFact &fact, unsigned conflicts, unsigned transactions, StringRef what,
                      StringRef remedy) {
    if (conflicts == 0)
      return;
    const double factor = double(transactions) / double(transactions - conflicts);
    Finding &finding = begin(fact, "bank conflicts", factor >= 2 || fact.loopDepth ? 2 : 1);
    finding.message = formatv("{0} has bank conflicts: {1} passes through shared memory a warp, "
                              "{2} times the {3} that would do",
                              what, transactions, times(factor), transactions - conflicts)
                          .str();
    finding.remedy = remedy.str();
  }

  void judgeConversion(const ConversionFact &fact) {
    judgeConflicts(fact, fact.conflicts, fact.transactions, "this change of layouts",
                   "the plan is in Conversions: other tile sizes or numbers of warps give other "
                   "layouts");
    if (fact.kind != "shared memory" || !fact.loopDepth)
      return;
    Finding &finding = begin(fact, "conversion", 1);
    finding.message = formatv("a tile changes its layout through {0} bytes of shared memory in "
                              "every iteration of a loop",
                              fact.scratchBytes)
                          .str();
    finding.remedy = "move what needs the other layout out of the loop, or choose tiles for which "
                     "both sides have the same layout";
  }

  void judgeLocal(const LocalFact &fact) {
    judgeConflicts(fact, fact.conflicts, fact.transactions,
                   fact.isStore ? "this store to shared memory" : "this load from shared memory",
                   "the shared layout is in Layouts: swizzle it, or choose a tile whose rows fill "
                   "all banks");
  }

  void judgeProduct(const ProductFact &fact) {
    if (fact.isOnMatrixUnit)
      return;
    Finding &finding = begin(fact, "no matrix unit", 2);
    finding.message = "this product of " + fact.types +
                      " is computed by multiply-adds, not by a "
                      "matrix unit";
    finding.remedy = "give tl.dot operands of a type that the matrix units have (f16, bf16, or f32 "
                     "with input_precision=\"tf32\"), in tiles of at least 16 x 16 x 16";
  }

  void judgeLoop(const LoopFact &fact) {
    if (fact.waitedLoads.empty() || !(fact.hasProduct || fact.hasReduction))
      return;
    Finding &finding = begin(fact, "unpipelined", fact.hasAsyncCopies ? 1 : 2);
    finding.message =
        formatv(
            "{0} of this loop {1} waited for in the iteration that begins {2}: nothing overlaps "
            "the time that memory takes",
            fact.waitedLoads.size() == 1 ? "a load"
                                         : formatv("{0} loads", fact.waitedLoads.size()).str(),
            fact.waitedLoads.size() == 1 ? "is" : "are",
            fact.waitedLoads.size() == 1 ? "it" : "them")
            .str();
    finding.remedy = remedyOf(fact);
  }

  const char *remedyOf(const LoopFact &fact) const {
    if (fact.stagesOfSource == 1)
      return "the source asks for this by num_stages=1 of tl.range: leave it out, or give 2 or "
             "more";
    if (!asksForStages && fact.stagesOfSource == 0)
      return "let iterations overlap: --num-stages 2 or more, or num_stages of tl.range";
    return "copies run ahead of a loop only where each thread has 4, 8 or 16 bytes side by side "
           "and "
           "aligned, nothing in the loop is a barrier, and shared memory holds the stages";
  }

  const TileFacts &facts;
  const Places &places;
  const target::Target &target;
  const bool asksForStages;
  std::vector<Finding> findings;
};

} // namespace

std::vector<Finding> report::findInFacts(const TileFacts &facts, const Places &places,
                                         const target::Target &target, bool asksForStages) {
  return Finder(facts, places, target, asksForStages).run();
}

static std::string nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "fault";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  case Severity::Remark:
    break;
  }
  return "remark";
}

std::vector<Finding> report::findInDiagnostics(const std::vector<Diagnostic> &diagnostics) {
  std::vector<Finding> findings;
  for (const Diagnostic &diagnostic : diagnostics) {
    Finding finding;
    finding.kind = nameOf(diagnostic.severity);
    finding.severity = diagnostic.severity == Severity::Error     ? 3
                       : diagnostic.severity == Severity::Warning ? 2
                                                                  : 0;
    finding.message = diagnostic.message;
    finding.remedy = diagnostic.remedy;
    finding.file = diagnostic.where.file;
    finding.line = diagnostic.where.line;
    finding.column = diagnostic.where.column;
    findings.push_back(std::move(finding));
  }
  return findings;
}

static void judgeTraffic(const simulate::SourceLine &where, const simulate::GlobalTraffic &traffic,
                         StringRef name, std::vector<Finding> &findings) {
  const double waste =
      double(traffic.sectors) / double(std::max<uint64_t>(traffic.idealSectors, 1));
  if (traffic.accesses == 0 || waste <= tolerableWaste)
    return;
  Finding finding;
  finding.kind = "uncoalesced (simulated)";
  finding.severity = waste >= heavyWaste ? 2 : 1;
  finding.message = formatv("{0} of the simulated run touched {1} sectors of global memory, {2} "
                            "times the {3} that hold their data",
                            name, traffic.sectors, times(waste), traffic.idealSectors)
                        .str();
  finding.remedy = "let the lanes of a warp access neighbouring addresses";
  finding.file = where.file;
  finding.line = where.line;
  findings.push_back(std::move(finding));
}

static void judgeTraffic(const simulate::SourceLine &where, const simulate::SharedTraffic &traffic,
                         StringRef name, std::vector<Finding> &findings) {
  if (traffic.accesses == 0 || traffic.bankConflicts() == 0)
    return;
  const double factor =
      double(traffic.transactions) / double(std::max<uint64_t>(traffic.idealTransactions, 1));
  Finding finding;
  finding.kind = "bank conflicts (simulated)";
  finding.severity = factor >= 2 ? 2 : 1;
  finding.message = formatv("{0} of the simulated run took {1} passes through the banks, {2} times "
                            "the {3} that would do",
                            name, traffic.transactions, times(factor), traffic.idealTransactions)
                        .str();
  finding.remedy = "see the layouts of shared memory and the conversions of this line";
  finding.file = where.file;
  finding.line = where.line;
  findings.push_back(std::move(finding));
}

std::vector<Finding> report::findInSimulation(const simulate::Report &counts) {
  std::vector<Finding> findings;
  for (const auto &[where, traffic] : counts.lines) {
    judgeTraffic(where, traffic.globalLoads, "loads", findings);
    judgeTraffic(where, traffic.globalStores, "stores", findings);
    judgeTraffic(where, traffic.sharedLoads, "loads from shared memory", findings);
    judgeTraffic(where, traffic.sharedStores, "stores to shared memory", findings);
  }
  return findings;
}

void report::sortFindings(std::vector<Finding> &findings) {
  auto key = [](const Finding &finding) {
    return std::tie(finding.file, finding.line, finding.column, finding.kind, finding.message);
  };
  llvm::sort(findings, [&](const Finding &a, const Finding &b) {
    if (a.severity != b.severity)
      return a.severity > b.severity;
    return key(a) < key(b);
  });
  // Where loops are split or unrolled, an op stands in the IR several times.
  auto last = std::unique(findings.begin(), findings.end(),
                          [&](const Finding &a, const Finding &b) { return key(a) == key(b); });
  findings.erase(last, findings.end());
}

json::Array report::toJson(const std::vector<Finding> &findings) {
  json::Array array;
  for (const Finding &finding : findings)
    array.push_back(json::Object{{"kind", finding.kind},
                                 {"severity", finding.severity},
                                 {"message", finding.message},
                                 {"remedy", finding.remedy},
                                 {"file", finding.file},
                                 {"line", finding.line},
                                 {"column", finding.column},
                                 {"ir_line", finding.irLine}});
  return array;
}
