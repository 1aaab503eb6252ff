//===- TuningStore.h - Results of tuning, kept ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A folder with a file for each kernel, device and key that were tuned. A file is replaced as a
// whole, so that processes that tune at once do not harm each other: the last one stays.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TUNE_TUNINGSTORE_H
#define TILEWRIGHT_TUNE_TUNINGSTORE_H

#include "tilewright/Tuner.h"

namespace tilewright::tune {

/// The key of a result. All of it is compared.
struct TuningKey {
  std::string kernel;
  /// The device's name, such as "NVIDIA H200", and the target that was compiled for.
  std::string device;
  std::string target;
  /// What else decides: the compiler's version, the sources, options, the values of key arguments,
  /// the configurations. Order counts.
  std::vector<std::pair<std::string, std::string>> parts;
};

class TuningStore {
public:
  /// The folder is made when the first result is saved.
  explicit TuningStore(std::string folder) : folder(std::move(folder)) {}

  /// The result for this key, with a trial for each configuration, which are given by their texts.
  /// Nothing if there is none, or if the file is damaged or does not hold what it says: it is
  /// measured again then.
  std::optional<TuningResult> find(const TuningKey &key,
                                   std::span<const std::string> configurations) const;

  /// Keeps a result. Errors: the folder cannot be written.
  Expected<void> save(const TuningKey &key, std::span<const std::string> configurations,
                      const TuningResult &result) const;

  /// The file that is of this key.
  std::string fileOf(const TuningKey &key) const;

private:
  const std::string folder;
};

} // namespace tilewright::tune

#endif // TILEWRIGHT_TUNE_TUNINGSTORE_H
