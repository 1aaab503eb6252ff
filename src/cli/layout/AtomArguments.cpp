//===- AtomArguments.cpp - Atoms on the command line ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/layout/AtomArguments.h"
#include "tilewright/CompileOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace tilewright;
using namespace tilewright::cli;
using target::CopyAtom;
using target::MmaAtom;
using target::Target;

namespace {

constexpr size_t MaxSuggestions = 3;

/// Whether `asked` is the name, or what comes before one of its full stops.
bool isMeant(llvm::StringRef name, llvm::StringRef asked) {
  return name == asked || (name.starts_with(asked) && name[asked.size()] == '.');
}

/// The atom of a list that is meant; the whole name counts before its parts.
template <typename Atom> const Atom *findAtom(std::span<const Atom> atoms, llvm::StringRef asked) {
  for (const Atom &atom : atoms)
    if (atom.name == asked)
      return &atom;
  for (const Atom &atom : atoms)
    if (isMeant(atom.name, asked))
      return &atom;
  return nullptr;
}

bool hasAtom(const Target &target, llvm::StringRef name) {
  return findAtom(target.copies(), name) || findAtom(target.products(), name);
}

/// The targets to look at, the default one first.
llvm::SmallVector<const Target *> targetsBy(const Target *only) {
  if (only)
    return {only};
  llvm::SmallVector<const Target *> targets = {Target::find(OptionDefaults::target)};
  for (const Target &target : Target::all())
    if (&target != targets.front())
      targets.push_back(&target);
  return targets;
}

/// The names that are most like what was asked for, quoted by no more than a third of its letters.
std::string suggestions(llvm::ArrayRef<const Target *> targets, llvm::StringRef asked) {
  llvm::SmallVector<std::pair<unsigned, llvm::StringRef>> near;
  auto consider = [&](llvm::StringRef name) {
    const unsigned distance = asked.edit_distance(name);
    if (distance <= asked.size() / 3 &&
        llvm::none_of(near, [&](auto &other) { return other.second == name; }))
      near.push_back({distance, name});
  };
  for (const Target *target : targets) {
    for (const CopyAtom &atom : target->copies())
      consider(atom.name);
    for (const MmaAtom &atom : target->products())
      consider(atom.name);
  }
  llvm::sort(near);
  if (near.size() > MaxSuggestions)
    near.resize(MaxSuggestions);
  return llvm::join(llvm::map_range(near, [](auto &each) { return each.second; }), " or ");
}

Diagnostic unknownAtom(llvm::ArrayRef<const Target *> targets, const Target *only,
                       const std::string &name) {
  llvm::SmallVector<llvm::StringRef> others;
  for (const Target &target : Target::all())
    if (only && hasAtom(target, name))
      others.push_back(target.name);
  std::string message =
      (only ? "target " + std::string(only->name) + " has no atom '" : "there is no atom '") +
      name + "'";
  std::string remedy;
  if (!others.empty())
    remedy = llvm::join(others, ", ") + (others.size() > 1 ? " have it; " : " has it; ");
  else if (std::string near = suggestions(targets, name); !near.empty())
    remedy = "did you mean " + near + "? ";
  return makeError(message, remedy + "`tilewright targets --atoms" +
                                (only ? " --target " + std::string(only->name) : "") +
                                "` lists them");
}

Diagnostic unknownOperand(const std::string &atom, const std::string &operand, const char *known) {
  return makeError(atom + " has no operand '" + operand + "'",
                   "--operand is " + std::string(known));
}

Expected<NamedOperand> operandOf(const MmaAtom &atom, const std::string &asked) {
  const std::string operand = asked.empty() ? "c" : asked;
  const std::string title = atom.name + ", operand " + operand;
  if (operand == "a")
    return NamedOperand{title, &atom.aOperand, bitsOf(atom.a)};
  if (operand == "b")
    return NamedOperand{title, &atom.bOperand, bitsOf(atom.b)};
  if (operand == "c" || operand == "d")
    return NamedOperand{title, &atom.accumulatorOperand, bitsOf(atom.accumulator)};
  return unknownOperand(atom.name, operand, "a, b, c or d");
}

Expected<NamedOperand> operandOf(const CopyAtom &atom, const std::string &asked) {
  const bool isStore = atom.source.space == target::Space::Registers;
  const std::string operand = !asked.empty() ? asked : isStore ? "src" : "dst";
  const std::string title = atom.name + ", operand " + operand;
  if (operand == "src")
    return NamedOperand{title, &atom.source, atom.elementBits};
  if (operand == "dst")
    return NamedOperand{title, &atom.destination, atom.elementBits};
  return unknownOperand(atom.name, operand, "src or dst");
}

} // namespace

Expected<NamedOperand> cli::findOperand(const std::string &name, const std::string &operand,
                                        const std::string &targetName) {
  const Target *only = nullptr;
  if (!targetName.empty()) {
    Result<const Target *> target = Target::parse(targetName);
    if (!target)
      return makeError(target.error(), "give one of them, or leave --target out");
    only = *target;
  }
  llvm::SmallVector<const Target *> targets = targetsBy(only);
  for (const Target *target : targets) {
    if (const CopyAtom *atom = findAtom(target->copies(), name))
      return operandOf(*atom, operand);
    if (const MmaAtom *atom = findAtom(target->products(), name))
      return operandOf(*atom, operand);
  }
  return unknownAtom(targets, only, name);
}
