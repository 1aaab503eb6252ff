//===- IntelIpVersion.cpp - Intel's GPUs by their IP version ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/IntelIpVersion.h"

#include "target/IntelProcessor.h"

using namespace tilewright;
using namespace tilewright::target;

std::string_view target::intelTargetOf(uint32_t ipVersion) {
  const uint32_t architecture = ipVersion >> 22, release = ipVersion >> 14 & 0xff;
  for (const Target &target : Target::all()) {
    if (target.vendor != Vendor::Intel)
      continue;
    const intel::IpVersions &versions = intel::processorOf(target).versions;
    if (versions.architecture == architecture && versions.firstRelease <= release &&
        release <= versions.lastRelease)
      return target.name;
  }
  return {};
}
