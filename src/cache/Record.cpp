//===- Record.cpp - A compilation's result as bytes ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Record.h"

#include "cache/Bytes.h"

namespace tilewright {

// The members of each struct, in the order in which they are written: see Bytes.h.

template <cache::OneOf<SourceRange> T> auto fields(T &range) {
  auto &[file, line, column, length] = range;
  return std::tie(file, line, column, length);
}

template <cache::OneOf<Diagnostic> T> auto fields(T &diagnostic) {
  auto &[severity, where, message, remedy, sourceLine, notes] = diagnostic;
  return std::tie(severity, where, message, remedy, sourceLine, notes);
}

template <cache::OneOf<KernelArgument> T> auto fields(T &argument) {
  auto &[name, type, divisibility, value] = argument;
  return std::tie(name, type, divisibility, value);
}

template <cache::OneOf<LaunchValue> T> auto fields(T &value) {
  auto &[factor, parameters] = value;
  return std::tie(factor, parameters);
}

template <cache::OneOf<TensorMapRecipe> T> auto fields(T &recipe) {
  auto &[element, address, sizes, strides, box, swizzleBytes, fillsNan] = recipe;
  return std::tie(element, address, sizes, strides, box, swizzleBytes, fillsNan);
}

template <cache::OneOf<KernelMetadata> T> auto fields(T &metadata) {
  auto &[name, target, numWarps, threadsPerWarp, numCtas, sharedBytes, loopStages,
         globalScratchBytes, kernargBytes, buildOptions, isCooperative, isProgrammatic, arguments,
         tensorMaps] = metadata;
  return std::tie(name, target, numWarps, threadsPerWarp, numCtas, sharedBytes, loopStages,
                  globalScratchBytes, kernargBytes, buildOptions, isCooperative, isProgrammatic,
                  arguments, tensorMaps);
}

template <cache::OneOf<InputFile> T> auto fields(T &file) {
  auto &[path, sha256] = file;
  return std::tie(path, sha256);
}

template <cache::OneOf<InputVariable> T> auto fields(T &variable) {
  auto &[name, value] = variable;
  return std::tie(name, value);
}

template <cache::OneOf<CompiledKernel> T> auto fields(T &kernel) {
  auto &[metadata, llir, nativeCode] = kernel;
  return std::tie(metadata, llir, nativeCode);
}

template <cache::OneOf<Compilation> T> auto fields(T &compilation) {
  auto &[kernel, ttir, ttgir, assembly, inputs, inputVariables, remarks, times] = compilation;
  // Those of a result that is found are its own.
  (void)times;
  return std::tie(kernel, ttir, ttgir, assembly, inputs, inputVariables, remarks);
}

namespace cache {
template <OneOf<InputNames> T> auto fields(T &names) {
  auto &[files, variables] = names;
  return std::tie(files, variables);
}
} // namespace cache

} // namespace tilewright

using namespace tilewright;
using namespace tilewright::cache;

std::string cache::writeResult(const CompileResult &result) {
  ByteWriter writer;
  writer << *result.compilation << result.diagnostics;
  return std::move(writer.bytes);
}

std::optional<CompileResult> cache::readResult(std::string_view bytes) {
  CompileResult result;
  ByteReader reader(bytes);
  reader >> result.compilation.emplace() >> result.diagnostics;
  if (!reader.isGood || !reader.isAtEnd())
    return std::nullopt;
  return result;
}

std::string cache::writeInputLists(const InputLists &lists) {
  ByteWriter writer;
  writer << lists;
  return std::move(writer.bytes);
}

std::optional<InputLists> cache::readInputLists(std::string_view bytes) {
  InputLists lists;
  ByteReader reader(bytes);
  reader >> lists;
  if (!reader.isGood || !reader.isAtEnd())
    return std::nullopt;
  return lists;
}
