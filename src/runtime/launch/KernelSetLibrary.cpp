//===- KernelSetLibrary.cpp - The C interface of kernel sets ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/files/KernelSet.h"
#include "runtime/launch/LastError.h"
#include "tilewright-c/kernels.h"

using namespace tilewright;
using namespace tilewright::runtime;

struct TilewrightKernelSet {
  std::unique_ptr<KernelSet> set;
};

static Expected<std::unique_ptr<KernelSet>> open(std::span<const TilewrightImage> images) {
  std::vector<KernelSet::Image> read;
  for (const TilewrightImage &image : images) {
    Expected<KernelMetadata> metadata = metadataFromJson(image.description, "the description");
    if (!metadata)
      return metadata.error();
    read.push_back(
        {std::move(*metadata), {static_cast<const char *>(image.code), image.code_bytes}});
  }
  return KernelSet::make(std::move(read));
}

int tilewright_open_set(const TilewrightImage *images, int count, TilewrightKernelSet **set) {
  auto opened = open({images, static_cast<size_t>(count < 0 ? 0 : count)});
  *set = opened ? new TilewrightKernelSet{std::move(*opened)} : nullptr;
  return finish(opened);
}

void tilewright_close_set(TilewrightKernelSet *set) { delete set; }

int tilewright_get_word_count(const TilewrightKernelSet *set) {
  return static_cast<int>(set->set->countWords());
}

/// The prefix of targets; empty for a number that is no family's.
static std::string_view nameOf(TilewrightFamily family) {
  switch (family) {
  case TILEWRIGHT_CUDA:
    return "cuda";
  case TILEWRIGHT_HIP:
    return "hip";
  case TILEWRIGHT_XPU:
    return "xpu";
  }
  return {};
}

int tilewright_launch_set(TilewrightKernelSet *set, TilewrightQueue queue, uint32_t x, uint32_t y,
                          uint32_t z, const uint64_t *words, int count) {
  return finish(set->set->launch(nameOf(queue.family), {queue.device, queue.stream}, {x, y, z},
                                 {words, static_cast<size_t>(count < 0 ? 0 : count)}));
}
