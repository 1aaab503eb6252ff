//===- LaunchFlags.h - What commands that launch kernels share ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_KERNEL_LAUNCHFLAGS_H
#define TILEWRIGHT_CLI_KERNEL_LAUNCHFLAGS_H

#include "tilewright/Runtime.h"
#include "tilewright/Simulator.h"

#include "llvm/Support/CommandLine.h"

#include <map>

namespace tilewright::cli {

/// NAME=VALUE pairs by name.
using Assignments = std::map<std::string, std::string>;

/// Splits what an option was given, e.g. "--arg". Each name is a parameter of the kernel that is
/// passed, and is there once.
Expected<Assignments> splitAssignments(const llvm::cl::list<std::string> &texts,
                                       llvm::StringRef option, const KernelMetadata &metadata);

/// The options --arg, --grid and --device.
struct LaunchFlags {
  /// The text of --arg for each argument.
  static Expected<Assignments> argumentTexts(const KernelMetadata &metadata);
  /// The same before there is a kernel whose arguments they could be.
  static Expected<Assignments> givenTexts();
  /// The values of the arguments that are passed, in order, as --arg gives them.
  static Expected<std::vector<runtime::ArgumentValue>> arguments(const KernelMetadata &metadata);
  /// The programs that --grid names; (1, 1, 1) where it is not given, or persistent.
  static Expected<runtime::Grid> grid();
  /// Whether --grid was given.
  static bool hasGrid();
  /// Whether --grid asks for as many programs as the device runs at once.
  static bool isGridPersistent();
  /// The device of --device.
  static const std::string &device();
  /// The device that --device names, for the kernel; the simulator with these options.
  static Expected<std::unique_ptr<runtime::Device>>
  openDevice(const KernelMetadata &metadata, const simulate::SimulatorOptions &options = {});
};

/// The values of the arguments that are passed, in order, of what a user says of each.
Expected<std::vector<runtime::ArgumentValue>> parseArguments(const KernelMetadata &metadata,
                                                             const Assignments &texts);
/// The device of this name, as --device names them, for the kernel.
Expected<std::unique_ptr<runtime::Device>>
openDeviceNamed(llvm::StringRef name, const KernelMetadata &metadata,
                const simulate::SimulatorOptions &options = {});

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_KERNEL_LAUNCHFLAGS_H
