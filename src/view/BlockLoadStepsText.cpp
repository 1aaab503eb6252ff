//===- BlockLoadStepsText.cpp - Text of block-load steps ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/PlanText.h"

#include <array>

namespace tilewright::view {

using namespace plan::block2d;
using layout::DimValue;
using layout::LinearLayout;
using layout::SizedDim;
namespace dims = layout::dims;

namespace {

/// "a, b"
std::string joined(std::span<const uint64_t> values) {
  std::string text;
  for (uint64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

/// The value of each output dimension within a packed output.
std::vector<uint64_t> outputs(const LinearLayout &map, uint64_t packed) {
  std::vector<uint64_t> result;
  for (DimValue value : map.unpackOutput(packed))
    result.push_back(value.value);
  return result;
}

/// One line a basis, and the sizes of the outputs.
std::string basesText(const LinearLayout &map) {
  std::string text;
  for (SizedDim in : map.ins()) {
    std::string name(in.dim.name());
    if (in.bits == 0)
      text += " - " + name + " is a size 1 dimension\n";
    for (unsigned bit = 0; bit < in.bits; ++bit)
      text += (bit == 0 ? " - " : "   ") + name + "=" + std::to_string(uint64_t(1) << bit) +
              " -> (" + joined(outputs(map, map.basis(in.dim, bit))) + ")\n";
  }
  std::string sizes;
  for (SizedDim out : map.outs())
    sizes += (sizes.empty() ? "" : ", ") + std::string(out.dim.name()) + " (size " +
             std::to_string(out.size()) + ")";
  return text + "where out dims are: [" + sizes + "]\n";
}

/// "load, iteration, offset : row, column", for as many inputs as are given, the slowest first.
std::string sample(const LinearLayout &map, std::span<const DimValue> inputs) {
  std::vector<uint64_t> in;
  for (DimValue value : inputs)
    in.push_back(value.value);
  return joined(in) + " : " + joined(outputs(map, map.applyFlat(map.packInput(inputs)))) + "\n";
}

/// The offsets that the first lane reads.
std::string tileSamples(const BlockLoadSteps &steps) {
  std::string text;
  for (uint64_t offset = 0; offset < steps.tile.inSize(dims::Offset);
       offset += steps.threadsPerWarp)
    text += sample(steps.tile, std::array{DimValue{dims::Offset, offset}});
  return text;
}

std::string iterationSamples(const BlockLoadSteps &steps) {
  std::string text;
  uint64_t last = steps.tile.inSize(dims::Offset) - 1;
  for (uint64_t i = 0; i < steps.iterations.inSize(iterationDim()); ++i)
    for (uint64_t offset : {uint64_t(0), last})
      text += sample(steps.iterations,
                     std::array{DimValue{iterationDim(), i}, DimValue{dims::Offset, offset}});
  return text;
}

/// A blank line between loads.
std::string loadSamples(const BlockLoadSteps &steps) {
  std::string text;
  uint64_t last = steps.tile.inSize(dims::Offset) - 1;
  for (uint64_t load = 0; load < steps.loads.inSize(loadDim()); ++load) {
    if (load)
      text += "\n";
    for (uint64_t i = 0; i < steps.loads.inSize(iterationDim()); ++i)
      for (uint64_t offset : {uint64_t(0), last})
        text +=
            sample(steps.loads, std::array{DimValue{loadDim(), load}, DimValue{iterationDim(), i},
                                           DimValue{dims::Offset, offset}});
  }
  return text;
}

} // namespace

std::string toText(const BlockLoadSteps &steps) {
  bool samples = !steps.message.transpose;
  bool manyLoads = steps.loads.inSize(loadDim()) > 1;
  return "Block load tile layout:\n" + basesText(steps.tile) + (samples ? tileSamples(steps) : "") +
         "\nBlock load tile layout after adding iterations:\n" + basesText(steps.iterations) +
         (samples ? iterationSamples(steps) : "") +
         "\nBlock load tile layout after adding loads:\n" + basesText(steps.loads) +
         (samples && manyLoads ? loadSamples(steps) : "");
}

std::string toJson(const BlockLoadSteps &steps) {
  std::string text = "{\"message\": " + toJson(steps.message, steps.threadsPerWarp) +
                     ",\n \"slot\": {\"dim0\": " + std::to_string(steps.slot.row) +
                     ", \"dim1\": " + std::to_string(steps.slot.col) + "}";
  std::pair<const char *, const LinearLayout *> maps[] = {{"tile", &steps.tile},
                                                          {"iterations", &steps.iterations},
                                                          {"loads", &steps.loads},
                                                          {"origins", &steps.origins}};
  for (auto [name, map] : maps)
    text += ",\n \"" + std::string(name) + "\": " + map->toJson();
  return text + "}\n";
}

} // namespace tilewright::view
