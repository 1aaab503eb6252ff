//===- KernelSet.h - Specializations of a kernel --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One kernel, compiled several times, and the choice between these at a launch:
// tilewright-c/kernels.h says how it goes. The command that writes functions for a set's callers
// (cli/kernel/HeaderCommand.cpp) asks here which arguments these have.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_FILES_KERNELSET_H
#define TILEWRIGHT_RUNTIME_FILES_KERNELSET_H

#include "runtime/launch/NativeKernel.h"

#include <mutex>

namespace tilewright::runtime {

/// An argument that the callers of a set give.
struct SetArgument {
  std::string name;
  /// "*fp32", "i32", "tensordesc<..>"; "i64" for a constant whose value chooses a specialization.
  std::string type;
  /// Where it stands in descriptions.
  size_t index = 0;
  /// Its words, which follow those of the arguments before.
  size_t firstWord = 0, wordCount = 1;
};

/// The arguments of callers: all but those that have the same value everywhere, in the order of
/// the source. Errors: names or types differ, or values that are no integers do.
Expected<std::vector<SetArgument>> argumentsOfSet(std::span<const KernelMetadata> kernels);

class KernelSet {
public:
  struct Image {
    KernelMetadata metadata;
    std::string_view code;
  };

  /// Errors: those of argumentsOfSet, a target that no driver is for, no image at all.
  static Expected<std::unique_ptr<KernelSet>> make(std::vector<Image> images);

  size_t countWords() const { return wordCount; }

  /// Queues a launch on a device of the family, "cuda", "hip" or "xpu". Errors: no specialization
  /// fits the family or the arguments, and those of loading and launching.
  Expected<void> launch(std::string_view family, const Place &place, Grid grid,
                        std::span<const uint64_t> words);

private:
  /// The condition of a specialization on a word.
  struct Condition {
    const SetArgument *argument;
    size_t word;
    /// The word times `factor` is a multiple of this; 0: the word is `value`.
    uint64_t divisor, factor, value;

    bool holds(std::span<const uint64_t> words) const {
      return divisor ? words[word] * factor % divisor == 0 : words[word] == value;
    }
    std::string describe() const;
  };
  struct Specialization {
    Image image;
    /// In the order in which they were given.
    size_t number = 0;
    std::vector<Condition> conditions;
    /// The words that the kernel takes.
    std::vector<size_t> passed;
    std::vector<std::unique_ptr<NativeKernel>> loaded;
  };
  /// The kernel of a launch; nulls where nothing fits.
  struct Found {
    const Specialization *specialization = nullptr;
    NativeKernel *kernel = nullptr;
    LaunchGrid grid;
  };
  /// The target whose code a device has taken.
  struct Choice {
    std::string family;
    int device;
    std::string target;
  };

  Specialization specialize(Image image) const;
  Expected<NativeKernel *> load(Specialization &specialization, const Place &place);
  /// Of one target, or of all where it is null. Errors: the grid, and what was refused first.
  Expected<Found> find(std::string_view family, const std::string *target, const Place &place,
                       Grid grid, std::span<const uint64_t> words);
  Diagnostic explainMisfit(std::string_view family) const;

  std::vector<SetArgument> arguments;
  size_t wordCount = 0;
  /// By target, in the order in which these were given; those that demand most come first.
  std::vector<Specialization> specializations;
  std::vector<Choice> choices;
  std::mutex mutex;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_FILES_KERNELSET_H
