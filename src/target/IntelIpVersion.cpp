//===- IntelIpVersion.cpp - Intel's GPUs by their IP version ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Architectures and releases are those of Intel's compute runtime and its compiler, `ocloc ids`:
// 12.60 and 12.61 are Ponte Vecchio, 20.1 and 20.2 Battlemage, 20.4 Lunar Lake, 30.0 and 30.1
// Panther Lake.
//
//===--------------------------------------------------------------------------===//

#include "target/IntelIpVersion.h"

using namespace tilewright;

std::string_view target::intelTargetOf(uint32_t ipVersion) {
  const uint32_t architecture = ipVersion >> 22, release = ipVersion >> 14 & 0xff;
  struct Row {
    uint32_t architecture, firstRelease, lastRelease;
    std::string_view target;
  };
  static constexpr Row rows[] = {
      {12, 60, 61, "xpu:pvc"}, {20, 1, 2, "xpu:bmg"}, {20, 4, 4, "xpu:lnl"}, {30, 0, 1, "xpu:ptl"}};
  for (const Row &row : rows)
    if (row.architecture == architecture && row.firstRelease <= release &&
        release <= row.lastRelease)
      return row.target;
  return {};
}
