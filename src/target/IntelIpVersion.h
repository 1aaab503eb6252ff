//===- IntelIpVersion.h - Intel's GPUs by their IP version -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_INTELIPVERSION_H
#define TILEWRIGHT_TARGET_INTELIPVERSION_H

#include <cstdint>
#include <string_view>

namespace tilewright::target {

/// The target of a GPU of Intel's, such as "xpu:bmg", by the version of its graphics IP as its
/// drivers tell it (ze_device_ip_version_ext_t, CL_DEVICE_IP_VERSION_INTEL): architecture in bits
/// 22 to 31, release in bits 14 to 21, revision in bits 0 to 5. Empty where there is no target for
/// it.
std::string_view intelTargetOf(uint32_t ipVersion);

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_INTELIPVERSION_H
