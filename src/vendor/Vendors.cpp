//===- Vendors.cpp - The vendors of this build --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/Vendors.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor;

// Each is in its folder's Vendor.cpp.
#define TILEWRIGHT_VENDOR(Name, name)                                                              \
  namespace tilewright::vendor::name {                                                             \
  const Vendor &getVendor();                                                                       \
  }
#include "vendor/BuiltVendors.inc"

std::span<const Vendor *const> vendor::all() {
  static const Vendor *const vendors[] = {
#define TILEWRIGHT_VENDOR(Name, name) &name::getVendor(),
#include "vendor/BuiltVendors.inc"
  };
  return vendors;
}

const Vendor *vendor::find(const target::Target &target) {
  for (const Vendor *vendor : all())
    if (vendor->getTable().vendor == target.vendor)
      return vendor;
  return nullptr;
}

Expected<const Vendor *> vendor::get(const target::Target &target) {
  if (const Vendor *vendor = find(target))
    return vendor;
  return missingVendor(target);
}

tilewright::Diagnostic vendor::missingVendor(const target::Target &target) {
  const target::VendorTable &table = target::VendorTable::of(target.vendor);
  std::string list;
  for (const Vendor *vendor : all())
    list += std::string(vendor->getTable().buildName) + ";";
  list += table.buildName;
  return makeError("no code can be generated for " + std::string(target.name) +
                       ": this build has no " + std::string(table.name) + " support",
                   "configure with -DTILEWRIGHT_VENDORS=all, or with -DTILEWRIGHT_VENDORS=\"" +
                       list + "\"");
}

namespace {
/// How the passes of the lowering find the vendors.
struct BuiltVendors final : lower::VendorsInterface {
  using VendorsInterface::VendorsInterface;

  const lower::VendorLowering *find(const target::Target &target) const override {
    return vendor::find(target);
  }
};
} // namespace

void vendor::registerAll(DialectRegistry &registry) {
  for (const Vendor *vendor : all())
    vendor->registerDialects(registry);
  registry.addExtension(+[](MLIRContext *, ttg::TritonGPUDialect *dialect) {
    dialect->addInterfaces<BuiltVendors>();
  });
}

void vendor::registerPasses() {
  for (const Vendor *vendor : all())
    vendor->registerPasses();
}
