//===- VendorTable.cpp - Facts common to all GPUs of a vendor -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/VendorTable.h"

namespace tilewright::target {

std::span<const VendorTable> VendorTable::all() {
  static const VendorTable tables[] = {
#define TILEWRIGHT_VENDOR(Name, name) name::vendorTable(),
#include "target/AllVendors.inc"
  };
  return tables;
}

const VendorTable &VendorTable::of(Vendor vendor) { return all()[static_cast<size_t>(vendor)]; }

const VendorTable *VendorTable::ofTargetName(std::string_view name) {
  for (const VendorTable &table : all())
    if (table.prefix == name.substr(0, name.find(':')))
      return &table;
  return nullptr;
}

} // namespace tilewright::target
