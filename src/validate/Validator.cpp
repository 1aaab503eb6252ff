//===- Validator.cpp - Each pass of a compilation, validated --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "validate/Validator.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::validate;
using interpret::Stop;
using interpret::Variant;

/// The elements that one run of the source may compute, and those of all inputs together: a pass is
/// then checked in about a second.
static constexpr uint64_t maxWork = uint64_t(1) << 29, maxTotalWork = uint64_t(1) << 27;
/// A program after a pass may compute more than before, within reason.
static constexpr uint64_t maxWorkAfter = 8 * maxWork;
/// Inputs that are tried for a smaller one that still shows a difference.
static constexpr unsigned maxShrinkSteps = 40;
static constexpr size_t maxInputs = 8;

static bool hasKernel(ModuleOp module) {
  auto functions = module.getOps<tt::FuncOp>();
  return llvm::any_of(functions, [](tt::FuncOp function) { return function.isPublic(); });
}

static std::string describe(const Stop &stop) {
  const std::string place = textOf(stop.place);
  return stop.what + (place.empty() ? "" : " (" + place + ")");
}

//===--------------------------------------------------------------------------===//
// The source
//===--------------------------------------------------------------------------===//

/// Runs the source on an input and keeps it where it takes it.
bool Validator::tryInput(ModuleOp module, Input input, bool takesRaces) {
  Trial trial{std::move(input), {}, {}, {}};
  trial.last = execute(module, trial.input, {}, Variant::Plain, maxWork);
  const interpret::Outcome &outcome = trial.last.outcome;
  if (outcome.stop && outcome.stop->kind == Stop::Kind::Unknown) {
    note("Source", *outcome.stop);
    return false;
  }
  if (outcome.stop || (trial.last.memory.hasRaces && !takesRaces)) {
    result.refused.push_back(
        trial.input.text() + ": " +
        (outcome.stop ? describe(*outcome.stop) : "its result depends on the order of programs"));
    return false;
  }
  trial.sizes = sizesOf(trial.last, trial.input);
  std::vector<Execution> variants;
  for (Variant variant : {Variant::Forward, Variant::Backward, Variant::Paired})
    if (Execution run = execute(module, trial.input, trial.sizes, variant, maxWorkAfter);
        run.outcome)
      variants.push_back(std::move(run));
  trial.tolerance = measureTolerance(trial.input, trial.last, variants);
  trials.push_back(std::move(trial));
  return true;
}

void Validator::begin(ModuleOp module) {
  hasBegun = true;
  Expected<std::vector<Parameter>> parameters = parametersOf(module, given);
  if (!parameters) {
    failure = parameters.error();
    return;
  }
  uint64_t work = 0;
  const std::vector<Input> inputs = proposeInputs(module, *parameters, given);
  for (bool takesRaces : {false, true}) {
    for (const Input &input : inputs) {
      if (trials.size() == maxInputs || (work > maxTotalWork && !trials.empty()) ||
          !result.unchecked.empty())
        break;
      if (tryInput(module, input, takesRaces))
        work += trials.back().last.outcome.work;
    }
    if (!trials.empty())
      break;
  }
  for (const Trial &trial : trials)
    result.inputs.push_back(trial.input.text());
  if (!trials.empty())
    known = module.clone();
}

//===--------------------------------------------------------------------------===//
// Passes
//===--------------------------------------------------------------------------===//

void Validator::note(llvm::StringRef pass, const Stop &stop) {
  result.unchecked.push_back({pass.str(), stop.what, textOf(stop.place)});
  if (firstUnchecked.empty())
    firstUnchecked = pass.str();
}

std::string Validator::nameOf(llvm::StringRef pass) const {
  return firstUnchecked.empty() ? pass.str() : "from " + firstUnchecked + " to " + pass.str();
}

static Difference stopped(const Stop &stop) {
  return {{}, 0, "the program comes to its end", stop.what, textOf(stop.place)};
}

/// Runs the program on an input; what differs from the last one.
std::optional<Difference> Validator::checkTrial(ModuleOp module, Trial &trial,
                                                Execution &after) const {
  after = execute(module, trial.input, trial.sizes, Variant::Plain, maxWorkAfter);
  if (!after.outcome.stop)
    return compare(trial.input, trial.last, after, trial.tolerance);
  if (after.outcome.stop->kind == Stop::Kind::Fault)
    return stopped(*after.outcome.stop);
  return std::nullopt;
}

void Validator::check(ModuleOp module, llvm::StringRef pass) {
  std::vector<Execution> executions;
  for (Trial &trial : trials) {
    Execution after;
    if (auto difference = checkTrial(module, trial, after))
      return shrink(module, trial, std::move(*difference), pass);
    if (after.outcome.stop)
      return note(pass, *after.outcome.stop);
    executions.push_back(std::move(after));
  }
  for (auto [trial, execution] : llvm::zip(trials, executions))
    trial.last = std::move(execution);
  known = module.clone();
  firstUnchecked.clear();
  ++result.checked;
}

void Validator::afterPass(ModuleOp module, const compiler::PassName &pass) {
  if (result.found || failure || !hasKernel(module))
    return;
  std::string now;
  llvm::raw_string_ostream(now) << module;
  if (now == text)
    return;
  text = std::move(now);
  const llvm::StringRef name = pass.flag.empty() ? pass.name : pass.flag;
  if (!hasBegun)
    begin(module);
  else if (!trials.empty())
    check(module, name);
}

void Validator::afterCompilation(const CompileResult &compilation) {
  if (compilation)
    simulate(compilation.compilation->kernel);
  trials.clear();
  known = {};
}

//===--------------------------------------------------------------------------===//
// Smaller inputs
//===--------------------------------------------------------------------------===//

/// Compares the last known program with this one on another input; gives nothing where the
/// first does not take the input.
std::optional<Difference> Validator::differ(ModuleOp module, const Input &input) const {
  Trial trial{input, {}, {}, {}};
  trial.last = execute(*known, trial.input, {}, Variant::Plain, maxWork);
  if (trial.last.outcome.stop || trial.last.memory.hasRaces)
    return std::nullopt;
  trial.sizes = sizesOf(trial.last, trial.input);
  std::vector<Execution> variants;
  for (Variant variant : {Variant::Forward, Variant::Backward})
    if (Execution run = execute(*known, trial.input, trial.sizes, variant, maxWorkAfter);
        run.outcome)
      variants.push_back(std::move(run));
  trial.tolerance = measureTolerance(trial.input, trial.last, variants);
  Execution after;
  return checkTrial(module, trial, after);
}

void Validator::shrink(ModuleOp module, const Trial &trial, Difference difference,
                       llvm::StringRef pass) {
  Input smallest = trial.input;
  for (unsigned steps = 0; steps < maxShrinkSteps;) {
    bool isSmaller = false;
    for (const Input &simpler : simplify(smallest)) {
      if (++steps > maxShrinkSteps)
        break;
      if (auto smaller = differ(module, simpler)) {
        smallest = simpler;
        difference = std::move(*smaller);
        isSmaller = true;
        break;
      }
    }
    if (!isSmaller)
      break;
  }
  result.found = Miscompilation{nameOf(pass), std::move(difference), smallest.text()};
}
