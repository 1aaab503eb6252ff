//===- Key.cpp - What an entry of the cache is for ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Key.h"

#include "cache/Bytes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/SHA256.h"

#include <cstdlib>

using namespace tilewright;
using namespace tilewright::cache;

std::string Key::hex() const { return llvm::toHex(bytes, /*LowerCase=*/true); }

Key cache::hashOf(std::string_view bytes) {
  llvm::BLAKE3 hasher;
  hasher.update(llvm::StringRef(bytes));
  return {hasher.final<32>()};
}

Inputs cache::inputsOf(const Compilation &compilation) {
  return {compilation.inputs, compilation.inputVariables};
}

InputNames cache::namesOf(const Inputs &inputs) {
  InputNames names;
  for (const InputFile &file : inputs.files)
    names.files.push_back(file.path);
  for (const InputVariable &variable : inputs.variables)
    names.variables.push_back(variable.name);
  return names;
}

Inputs cache::readInputs(const InputNames &names, const FileReader &reader) {
  Inputs inputs;
  for (const std::string &path : names.files) {
    InputFile &file = inputs.files.emplace_back(path);
    if (std::optional<std::string> text = reader(path))
      file.sha256 = llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(*text)),
                                /*LowerCase=*/true);
  }
  for (const std::string &name : names.variables) {
    const char *value = std::getenv(name.c_str());
    inputs.variables.push_back({name, value ? std::optional<std::string>(value) : std::nullopt});
  }
  return inputs;
}

Key cache::requestKey(const Source &source, const CompileOptions &options,
                      std::string_view compiler) {
  const auto &[name, text, language, isSelfContained] = source;
  ByteWriter request;
  request << compiler << name << text << language << isSelfContained;
  forEachOption([&](const auto &row) {
    if (row.readers.key)
      request << row.of(options);
  });
  return hashOf(request.bytes);
}

Key cache::resultKey(const Key &request, const Inputs &inputs) {
  ByteWriter result;
  result << request.hex();
  for (const auto &[path, sha256] : inputs.files)
    result << path << sha256;
  // Where the files end and the variables begin.
  result << uint64_t(inputs.files.size());
  for (const auto &[name, value] : inputs.variables)
    result << name << value;
  return hashOf(result.bytes);
}
