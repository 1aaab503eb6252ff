//===- KernelHeader.cpp - C++ functions that launch kernels -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/kernel/KernelHeader.h"

#include "runtime/files/KernelSet.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
using runtime::SetArgument;

/// The element of an array in C++; empty for what arrays have none of.
static llvm::StringRef elementInCpp(std::string_view type) {
  return llvm::StringSwitch<llvm::StringRef>(type)
      .Case("fp32", "float")
      .Case("fp64", "double")
      .Cases({"i1", "u1"}, "bool")
      .Case("i8", "int8_t")
      .Case("u8", "uint8_t")
      .Case("i16", "int16_t")
      .Case("u16", "uint16_t")
      .Case("i32", "int32_t")
      .Case("u32", "uint32_t")
      .Case("i64", "int64_t")
      .Case("u64", "uint64_t")
      .Case("fp16", "tilewright::fp16")
      .Case("bf16", "tilewright::bf16")
      .Case("fp8e5", "tilewright::fp8e5")
      .Case("fp8e4nv", "tilewright::fp8e4nv")
      .Case("fp8e4b15", "tilewright::fp8e4b15")
      .Case("fp8e4b8", "tilewright::fp8e4b8")
      .Case("fp8e5b16", "tilewright::fp8e5b16")
      .Default("");
}

/// The type of a function's parameter.
static Expected<std::string> typeInCpp(const SetArgument &argument) {
  KernelArgument asPassed;
  asPassed.type = argument.type;
  const llvm::StringRef element = elementInCpp(asPassed.elementType());
  if (element.empty())
    return makeError("the argument '" + argument.name + "' has the type " + argument.type +
                         ", which no function in C++ can take",
                     "pass such elements as integers of as many bits");
  if (!asPassed.isPointer() && !asPassed.isDescriptor())
    return element.str();
  if (asPassed.isPointer())
    return ("tilewright::Pointer<" + element + ">").str();
  return ("const tilewright::Tensor<" + element + ", " + llvm::Twine(asPassed.rank()) + "> &")
      .str();
}

/// The parameter's name: that of the kernel, unless C++ or the function has it already.
static std::string nameInCpp(llvm::StringRef name) {
  static constexpr llvm::StringLiteral taken[] = {
      "queue",   "grid",     "auto",    "bool",     "case",     "catch",    "char",    "const",
      "default", "delete",   "do",      "double",   "enum",     "explicit", "export",  "extern",
      "float",   "friend",   "goto",    "inline",   "int",      "long",     "mutable", "namespace",
      "new",     "operator", "private", "public",   "register", "short",    "signed",  "sizeof",
      "static",  "struct",   "switch",  "template", "this",     "throw",    "typedef", "typename",
      "union",   "unsigned", "using",   "virtual",  "void",     "volatile", "words",   "kernels"};
  return llvm::is_contained(taken, name) ? name.str() + "_" : name.str();
}

/// `bytes` as string literals, of 32 bytes each.
static void writeLiteral(llvm::raw_ostream &os, llvm::StringRef bytes) {
  for (size_t begin = 0; begin < bytes.size(); begin += 32) {
    os << "\n    \"";
    for (unsigned char byte : bytes.substr(begin, 32))
      if (llvm::isPrint(byte) && byte != '"' && byte != '\\' && byte != '?')
        os << byte;
      else
        os << '\\' << char('0' + byte / 64) << char('0' + byte / 8 % 8) << char('0' + byte % 8);
    os << '"';
  }
}

/// "a multiple of 16" or "1" where the specialization demands it of an argument; else empty.
static std::string demandOf(const KernelArgument &argument) {
  if (argument.value)
    return *argument.value;
  return argument.divisibility > 1 ? "a multiple of " + std::to_string(argument.divisibility) : "";
}

static void writeComment(llvm::raw_ostream &os, std::span<const CompiledKernel> kernels,
                         llvm::ArrayRef<SetArgument> arguments,
                         const KernelHeaderOptions &options) {
  const KernelMetadata &first = kernels.front().metadata;
  os << "/// Queues a launch of `" << first.name << "`";
  if (!options.from.empty())
    os << " of " << options.from;
  os << ": `grid` programs, on `queue`. Takes the first of these\n"
     << "/// specializations that fits the device and the arguments:\n///\n";
  for (const CompiledKernel &kernel : kernels) {
    os << "///   " << kernel.metadata.target << ", " << kernel.metadata.numWarps << " warps";
    for (const SetArgument &argument : arguments)
      if (std::string demand = demandOf(kernel.metadata.arguments[argument.index]); !demand.empty())
        os << "; " << argument.name << " is " << demand;
    os << '\n';
  }
}

/// The constants that all have, as C++ constants: a grid is counted in them.
static void writeConstants(llvm::raw_ostream &os, const KernelMetadata &kernel,
                           llvm::ArrayRef<SetArgument> arguments) {
  for (auto [index, argument] : llvm::enumerate(kernel.arguments)) {
    int64_t value;
    if (argument.value && !llvm::StringRef(*argument.value).getAsInteger(10, value) &&
        llvm::none_of(arguments, [i = index](const SetArgument &each) { return each.index == i; }))
      os << "inline constexpr long long " << kernel.name << '_' << argument.name << " = " << value
         << ";\n";
  }
}

Expected<KernelHeader> cli::writeKernelHeader(std::span<const CompiledKernel> kernels,
                                              const KernelHeaderOptions &options) {
  std::vector<KernelMetadata> descriptions;
  for (const CompiledKernel &kernel : kernels)
    descriptions.push_back(kernel.metadata);
  Expected<std::vector<SetArgument>> arguments = runtime::argumentsOfSet(descriptions);
  if (!arguments)
    return arguments.error();
  const KernelMetadata &first = descriptions.front();
  for (const KernelArgument &argument : first.arguments)
    if (llvm::StringRef(argument.name).find_first_of(".[") != llvm::StringRef::npos)
      return makeError("the argument '" + argument.name +
                           "' is an element of a tuple, which no function in C++ takes here",
                       "give the kernel a parameter for each element");
  std::string declaration =
      "tilewright::Status " + first.name + "(const tilewright::Queue &queue, tilewright::Grid grid";
  size_t wordCount = 0;
  for (const SetArgument &argument : *arguments) {
    Expected<std::string> type = typeInCpp(argument);
    if (!type)
      return type.error();
    declaration += ",\n    " + *type + (llvm::StringRef(*type).ends_with("&") ? "" : " ") +
                   nameInCpp(argument.name);
    wordCount += argument.wordCount;
  }
  declaration += ")";

  KernelHeader result;
  llvm::raw_string_ostream header(result.header), source(result.source);
  header << "// Written by tilewright generate-header.\n#pragma once\n\n"
         << "#include <tilewright/EmbeddedKernels.h>\n\nnamespace " << options.nameSpace
         << " {\n\n";
  writeConstants(header, first, *arguments);
  writeComment(header, kernels, *arguments, options);
  header << declaration << ";\n\n} // namespace " << options.nameSpace << '\n';

  source << "// Written by tilewright generate-header.\n#include \"" << options.headerName
         << "\"\n\n";
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    source << "static const char description" << index << "[] =";
    writeLiteral(source, toJson(kernel.metadata));
    // At the alignment of what an ELF file holds.
    source << ";\nalignas(16) static const char code" << index << "[] =";
    writeLiteral(source, kernel.nativeCode);
    source << ";\n";
  }
  source << "\nstatic const TilewrightImage images[] = {\n";
  for (size_t index = 0; index < kernels.size(); ++index)
    source << "    {description" << index << ", code" << index << ", sizeof code" << index
           << " - 1},\n";
  source << "};\n\nnamespace " << options.nameSpace << " {\n\n"
         << declaration << " {\n  static const tilewright::embedded::KernelSet kernels(images);\n"
         << "  tilewright::embedded::Words<" << wordCount << "> words;\n";
  for (const SetArgument &argument : *arguments)
    source << "  words.add(" << nameInCpp(argument.name) << ");\n";
  source << "  return kernels.launch(queue, grid, words);\n}\n\n} // namespace "
         << options.nameSpace << '\n';
  return result;
}
