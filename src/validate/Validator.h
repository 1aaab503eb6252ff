//===- Validator.h - Each pass of a compilation, validated ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The program is interpreted before and after every pass that changed it, on the same inputs
// (validate/Input.h), until a pass changes its results. From the LLVM dialect on the simulator runs
// what was compiled, and its results are compared with those of the last program that could be
// interpreted.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VALIDATE_VALIDATOR_H
#define TILEWRIGHT_VALIDATE_VALIDATOR_H

#include "compiler/Observer.h"
#include "validate/Comparison.h"

namespace tilewright::validate {

/// A pass that was not checked, and the reason.
struct Unchecked {
  std::string pass, why, place;
};

/// A pass after which the program computes something else.
struct Miscompilation {
  /// The pass, as its flag of tilewright-opt. Where passes before it were not checked, the first
  /// one that may have done it comes before, as in "from A to B".
  std::string pass;
  Difference difference;
  /// The smallest input that was found to show it.
  std::string input;
};

struct Report {
  /// Passes that changed the program and whose results were compared.
  unsigned checked = 0;
  /// Inputs that each was tried on.
  std::vector<std::string> inputs;
  /// Inputs that the source itself does not take, with the reason.
  std::vector<std::string> refused;
  std::vector<Unchecked> unchecked;
  /// Inputs on which the simulator's results were compared.
  unsigned simulated = 0;
  std::optional<Miscompilation> found;
};

class Validator : public compiler::Observer {
public:
  explicit Validator(GivenInput given) : given(std::move(given)) {}

  void afterPass(mlir::ModuleOp module, const compiler::PassName &pass) override;
  void afterCompilation(const CompileResult &compilation) override;

  const Report &report() const { return result; }
  /// The error in the input that the user gave.
  const std::optional<Diagnostic> &error() const { return failure; }

private:
  /// An input on which the source runs, and what it computes there.
  struct Trial {
    Input input;
    std::vector<size_t> sizes;
    Tolerance tolerance;
    Execution last;
  };

  /// Runs the kernel on the simulator and compares.
  void simulate(const CompiledKernel &kernel);
  void begin(mlir::ModuleOp module);
  bool tryInput(mlir::ModuleOp module, Input input, bool takesRaces);
  void check(mlir::ModuleOp module, llvm::StringRef pass);
  std::optional<Difference> checkTrial(mlir::ModuleOp module, Trial &trial, Execution &after) const;
  void shrink(mlir::ModuleOp module, const Trial &trial, Difference difference,
              llvm::StringRef pass);
  std::optional<Difference> differ(mlir::ModuleOp module, const Input &input) const;
  void note(llvm::StringRef pass, const interpret::Stop &stop);
  std::string nameOf(llvm::StringRef pass) const;

  const GivenInput given;
  Report result;
  std::optional<Diagnostic> failure;
  std::vector<Trial> trials;
  /// The last program whose results are known, and its text.
  mlir::OwningOpRef<mlir::ModuleOp> known;
  std::string text;
  /// The first pass since then that was not checked; empty where there is none.
  std::string firstUnchecked;
  bool hasBegun = false;
};

} // namespace tilewright::validate

#endif // TILEWRIGHT_VALIDATE_VALIDATOR_H
