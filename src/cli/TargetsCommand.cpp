//===- TargetsCommand.cpp - The command tilewright targets --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "vendor/Vendors.h"
#include "view/AtomText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
using target::Target;

static llvm::cl::opt<bool> wantsAtoms("atoms",
                                      llvm::cl::desc("List the instructions that copy and multiply "
                                                     "tiles"),
                                      llvm::cl::sub(targetsCommand));
static llvm::cl::opt<std::string> atomsTarget("target", llvm::cl::value_desc("TARGET"),
                                              llvm::cl::desc("Only those of this target"),
                                              llvm::cl::sub(targetsCommand));

/// The families of its atoms: names up to the first full stop, but for what each lane copies for
/// itself and waits for.
static std::string familiesOf(const Target &target) {
  llvm::SmallVector<llvm::StringRef> families;
  auto add = [&](llvm::StringRef family) {
    if (!llvm::is_contained(families, family))
      families.push_back(family);
  };
  for (const target::CopyAtom &atom : target.copies())
    if (atom.issuer != target::Issuer::Lane)
      add(llvm::StringRef(atom.name).split('.').first);
    else if (atom.isAsync)
      add(llvm::StringRef(atom.name).rsplit('.').first);
  for (const target::MmaAtom &atom : target.products())
    add(llvm::StringRef(atom.name).split('.').first);
  return llvm::join(families, ", ");
}

static int showAtoms() {
  if (atomsTarget.empty()) {
    const char *separator = "";
    for (const Target &target : Target::all()) {
      llvm::outs() << separator << view::atomsText(target);
      separator = "\n";
    }
    return 0;
  }
  Result<const Target *> target = Target::parse(atomsTarget.getValue());
  if (!target)
    return report(makeError(target.error(), "give one of them, or leave --target out"));
  llvm::outs() << view::atomsText(**target);
  return 0;
}

int cli::runTargetsCommand() {
  if (wantsAtoms)
    return showAtoms();
  if (!atomsTarget.empty())
    return report(makeError("--target names whose atoms to list", "give --atoms as well"));
  llvm::raw_ostream &os = llvm::outs();
  os << "target       compiles  lanes     shared KiB  registers  access bits  hardware\n";
  for (const Target &target : Target::all()) {
    std::string name(target.name), lanes = target.warpSizesText();
    os << llvm::format("%-12s %-8s  %-8s  %10u  %9u  %11u  ", name.c_str(),
                       vendor::find(target) ? "yes" : "no", lanes.c_str(),
                       target.shared.maxBytes / 1024, target.execution.maxRegistersPerThread,
                       target.global.maxAccessBits)
       << target.description << ": " << familiesOf(target) << '\n';
  }
  for (const target::VendorTable &table : target::VendorTable::all())
    if (!vendor::find(table.targets.front()))
      os << "\nthis build has no " << table.name << " support (" << table.prefix
         << ":*): " << vendor::missingVendor(table.targets.front()).remedy << '\n';
  return 0;
}
