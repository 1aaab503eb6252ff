//===- Vendors.h - The vendors of this build ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The list itself is TILEWRIGHT_ALL_VENDORS in cmake/Vendors.cmake; TILEWRIGHT_VENDORS chooses from
// it. Nothing else in the sources enumerates vendors.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_VENDORS_H
#define TILEWRIGHT_VENDOR_VENDORS_H

#include "tilewright/Expected.h"
#include "vendor/Vendor.h"

namespace tilewright::vendor {

/// Those of this build, in the order of the list.
std::span<const Vendor *const> all();

/// That of the target's; null if this build is without it.
const Vendor *find(const target::Target &target);

/// The same, or missingVendor.
Expected<const Vendor *> get(const target::Target &target);

/// The error for users of a build without the target's vendor: how to get one with it.
Diagnostic missingVendor(const target::Target &target);

/// Registers what compiling needs of the vendors: their dialects, the translation of those to LLVM
/// IR, and for the passes of the lowering the vendors themselves.
void registerAll(mlir::DialectRegistry &registry);

/// Makes the vendors' own passes known by their flags, for a pass driver.
void registerPasses();

} // namespace tilewright::vendor

#endif // TILEWRIGHT_VENDOR_VENDORS_H
