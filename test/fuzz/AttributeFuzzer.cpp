//===- AttributeFuzzer.cpp - Fuzz target: layout attributes -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The input's lines are a tensor type and two layout attributes, as `layout` and `convert` get
// them. What is read prints and reads back as the same attribute; a layout that fits the
// tensor has a map onto all of it, in which every element is somewhere; and a conversion
// that has a plan brings each element where it belongs.
//
//===--------------------------------------------------------------------------===//

#include "cli/layout/LayoutArguments.h"
#include "plan/interpret/PlanInterpreter.h"
#include "target/Target.h"
#include "tilewright/layout/ConversionPlan.h"
#include "view/PlanText.h"

#include <cstdlib>
#include <memory>

using namespace tilewright;
using namespace tilewright::cli;
using layout::LinearLayout;

/// Conversions of layouts with more bits of places are not tried: they only take long.
static constexpr unsigned MaxPlaceBits = 14;

static void require(bool holds) {
  if (!holds)
    std::abort();
}

static std::optional<LayoutArgument> readLayout(LayoutArguments &arguments, llvm::StringRef text) {
  auto layout = arguments.parseLayout("--from", text);
  if (!layout) {
    require(!layout.error().message.empty());
    return std::nullopt;
  }
  auto again = arguments.parseLayout("--to", textOf(layout->attribute));
  require(again && again->attribute == layout->attribute);
  return std::move(*layout);
}

/// Whether both spread the tensor over the same lanes, warps and blocks.
static bool sameThreads(const LinearLayout &a, const LinearLayout &b) {
  for (layout::Dim dim : {layout::dims::Lane, layout::dims::Warp, layout::dims::Block})
    if (a.inBits(dim) != b.inBits(dim))
      return false;
  return true;
}

static void convert(const LinearLayout &from, const LinearLayout &to, unsigned elementBits,
                    const target::ExchangeModel &memory) {
  Result<plan::ConversionPlan> plan = plan::planConversion(from, to, elementBits, memory);
  if (!plan)
    return;
  require(!view::toText(*plan).empty() && !view::toJson(*plan).empty());
  unsigned lanes = from.inSize(layout::dims::Lane), warps = from.inSize(layout::dims::Warp);
  for (uint64_t block = 0; block < from.inSize(layout::dims::Block); ++block) {
    plan::PlanReport report;
    plan::BlockRegisters result =
        plan::interpretPlan(*plan, plan::registersOf(from, lanes, warps, block), memory, report);
    require(report.error.empty());
    require(result.registers == plan::registersOf(to, lanes, warps, block).registers);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto [tensorText, layouts] = text.split('\n');
  auto [firstText, secondText] = layouts.split('\n');

  // A context keeps all attributes that it has seen; a new one now and then forgets them.
  static std::unique_ptr<LayoutArguments> current;
  static unsigned uses = 0;
  if (uses++ % 10000 == 0)
    current = std::make_unique<LayoutArguments>();
  LayoutArguments &arguments = *current;
  auto tensor = arguments.parseTensor("--tensor", tensorText);
  std::optional<LayoutArgument> sides[] = {readLayout(arguments, firstText),
                                           readLayout(arguments, secondText)};
  if (!tensor)
    return 0;
  std::optional<LinearLayout> maps[2];
  for (int i : {0, 1}) {
    if (!sides[i])
      continue;
    if (auto map = arguments.distributedLayout(*sides[i], *tensor)) {
      require(map->isSurjective());
      maps[i] = *map;
    }
    if (auto map = arguments.sharedLayout(*sides[i], *tensor))
      require(map->isSurjective());
  }
  if (!maps[0] || !maps[1] || !sameThreads(*maps[0], *maps[1]) || tensor->elementBits > 64)
    return 0;
  if (std::max(maps[0]->totalInBits(), maps[1]->totalInBits()) > MaxPlaceBits)
    return 0;
  target::ExchangeModel memory, withMatrices = target::Target::find("cuda:90")->sharedMemory();
  convert(*maps[0], *maps[1], tensor->elementBits, memory);
  convert(*maps[0], *maps[1], tensor->elementBits, withMatrices);
  return 0;
}
