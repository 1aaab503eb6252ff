//===- LaunchFlags.cpp - What commands that launch kernels share --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/kernel/LaunchFlags.h"
#include "cli/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

static cl::list<std::string>
    argumentTexts("arg", cl::value_desc("NAME=VALUE"),
                  cl::desc("The value of an argument: a number, @file.npy, zeros(N,..), "
                           "empty(N,..), full(N,.., v), arange(N,..) or rand(N,..)"),
                  cl::sub(compileCommand), cl::sub(runCommand), cl::sub(reportCommand),
                  cl::sub(tuneCommand));
static cl::opt<std::string>
    gridText("grid", cl::value_desc("X[,Y[,Z]]"), cl::init("1"),
             cl::desc("Programs along each axis (default 1), or `persistent`: as many as the "
                      "device runs at once"),
             cl::sub(compileCommand), cl::sub(runCommand), cl::sub(reportCommand));
static cl::opt<std::string> deviceName("device", cl::value_desc("sim|cuda|opencl"), cl::init("sim"),
                                       cl::desc("Where to run: the simulator (default), or a GPU"),
                                       cl::sub(runCommand), cl::sub(tuneCommand));

Expected<Assignments> cli::splitAssignments(const cl::list<std::string> &texts,
                                            llvm::StringRef option,
                                            const KernelMetadata &metadata) {
  Assignments values;
  for (const std::string &text : texts) {
    auto pair = runtime::splitAssignment(text);
    if (!pair)
      return pair.error();
    auto found = llvm::find_if(metadata.arguments,
                               [&](const KernelArgument &arg) { return arg.name == pair->first; });
    if (found == metadata.arguments.end() || !found->isPassed()) {
      std::vector<std::string> names;
      for (const KernelArgument &arg : metadata.arguments)
        if (arg.isPassed())
          names.push_back(arg.name);
      bool fixed = found != metadata.arguments.end();
      return makeError(llvm::formatv("{0} {1}: the kernel '{2}' {3} '{1}'", option, pair->first,
                                     metadata.name,
                                     fixed ? "was compiled for one value of" : "has no argument")
                           .str(),
                       "its arguments are " + llvm::join(names, ", "));
    }
    if (!values.insert({pair->first, pair->second}).second)
      return makeError(option.str() + " " + pair->first + " was given twice", "give it once");
  }
  return values;
}

Expected<Assignments> LaunchFlags::argumentTexts(const KernelMetadata &metadata) {
  return splitAssignments(::argumentTexts, "--arg", metadata);
}

Expected<Assignments> LaunchFlags::givenTexts() {
  Assignments values;
  for (const std::string &text : ::argumentTexts) {
    auto pair = runtime::splitAssignment(text);
    if (!pair)
      return pair.error();
    if (!values.insert(*pair).second)
      return makeError("--arg " + pair->first + " was given twice", "give it once");
  }
  return values;
}

bool LaunchFlags::hasGrid() { return gridText.getNumOccurrences() > 0; }

bool LaunchFlags::isGridPersistent() { return gridText == "persistent"; }

Expected<runtime::Grid> LaunchFlags::grid() {
  const llvm::StringRef text = gridText;
  if (isGridPersistent())
    return runtime::Grid();
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  runtime::Grid grid;
  uint32_t *sizes[] = {&grid.x, &grid.y, &grid.z};
  bool good = parts.size() <= 3;
  for (auto [index, part] : llvm::enumerate(parts))
    good = good && !part.trim().getAsInteger(10, *sizes[index]) && *sizes[index] > 0;
  if (!good)
    return makeError("--grid takes one to three positive numbers, got '" + text.str() + "'",
                     "write it like --grid 4,2, or --grid persistent");
  return grid;
}

Expected<std::vector<runtime::ArgumentValue>>
LaunchFlags::arguments(const KernelMetadata &metadata) {
  auto texts = argumentTexts(metadata);
  if (!texts)
    return texts.error();
  return parseArguments(metadata, *texts);
}

Expected<std::vector<runtime::ArgumentValue>> cli::parseArguments(const KernelMetadata &metadata,
                                                                  const Assignments &texts) {
  std::vector<runtime::ArgumentValue> values;
  for (const KernelArgument &argument : metadata.arguments) {
    if (!argument.isPassed())
      continue;
    auto text = texts.find(argument.name);
    if (text == texts.end())
      return makeError(
          "the argument '" + argument.name + "' (" + argument.type + ") has no value",
          "add --arg " + argument.name +
              (argument.isPointer() || argument.isDescriptor() ? "=zeros(N)" : "=NUMBER"));
    auto value = runtime::parseArgumentValue(argument, text->second);
    if (!value)
      return value.error();
    values.push_back(std::move(*value));
  }
  return values;
}

const std::string &LaunchFlags::device() { return deviceName; }

Expected<std::unique_ptr<runtime::Device>>
LaunchFlags::openDevice(const KernelMetadata &metadata, const simulate::SimulatorOptions &options) {
  return openDeviceNamed(deviceName, metadata, options);
}

Expected<std::unique_ptr<runtime::Device>>
cli::openDeviceNamed(llvm::StringRef name, const KernelMetadata &metadata,
                     const simulate::SimulatorOptions &options) {
  if (name == "sim")
    return std::unique_ptr<runtime::Device>(simulate::createSimulator(options));
  static constexpr struct {
    const char *name, *vendor;
    Expected<std::unique_ptr<runtime::Device>> (*create)(int ordinal);
  } devices[] = {{"cuda", "cuda", runtime::createCudaDevice},
                 {"opencl", "xpu", runtime::createOpenClDevice}};
  for (const auto &device : devices) {
    if (name != device.name)
      continue;
    // Said before a driver is looked for, which need not be there.
    if (llvm::StringRef(metadata.target).split(':').first != device.vendor)
      return makeError("the kernel '" + metadata.name + "' was compiled for " + metadata.target +
                           ": --device " + device.name + " cannot run it",
                       "compile it for one of the " + std::string(device.vendor) +
                           " targets, or run it with --device sim");
    auto created = device.create(/*ordinal=*/0);
    if (created)
      return created;
    Diagnostic error = created.error();
    if (llvm::StringRef(error.remedy).ends_with("on the simulator"))
      error.remedy += ", --device sim";
    return error;
  }
  return makeError("there is no device '" + name.str() + "'",
                   "the devices are sim, which runs the kernels of all targets, cuda and opencl");
}
