//===- Measurement.h - One configuration after the other on a device *- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TUNE_MEASUREMENT_H
#define TILEWRIGHT_TUNE_MEASUREMENT_H

#include "tilewright/Tuner.h"

namespace tilewright::tune {

/// A trial of a configuration that did not get as far as a result.
Trial failed(Diagnostic error);

class Measurement {
public:
  Measurement(const OpenDevice &openDevice, std::span<const runtime::ArgumentValue> arguments,
              const MeasureOptions &options)
      : openDevice(openDevice), arguments(arguments), options(options) {}

  /// Opens the device, once more if it has been open.
  Expected<void> open();
  /// Measures the configuration with this index on the open device, or skips it.
  Trial run(size_t index, const CompileResult &result, const Expected<runtime::Grid> &grid);
  /// Whether the device may be unusable since the last launch failed on it.
  bool isBroken() const { return broken; }

  /// The arguments after the first configuration that ran; nothing before that. Results of
  /// the others are compared with it.
  std::optional<std::vector<runtime::ArgumentValue>> expected;

private:
  Trial launch(const CompiledKernel &compiled, runtime::Grid grid, bool isMeasured);

  const OpenDevice &openDevice;
  std::span<const runtime::ArgumentValue> arguments;
  const MeasureOptions &options;
  std::unique_ptr<runtime::Device> device;
  bool broken = false;
};

} // namespace tilewright::tune

#endif // TILEWRIGHT_TUNE_MEASUREMENT_H
