//===- VendorsTest.cpp - The vendors of the build -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// These hold for a build with any of the vendors.
//
//===--------------------------------------------------------------------------===//

#include "vendor/Vendors.h"

#include "simulate/Simulator.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace tilewright;

namespace {

std::vector<const vendor::Vendor *> vendorsOf(const target::Target &target) {
  std::vector<const vendor::Vendor *> found;
  for (const vendor::Vendor *vendor : vendor::all())
    for (const target::Target &its : vendor->getTable().targets)
      if (its.name == target.name)
        found.push_back(vendor);
  return found;
}

TEST(Vendors, EachTargetIsInOneTableAndHasAtMostOneVendor) {
  size_t targets = 0;
  for (const target::VendorTable &table : target::VendorTable::all()) {
    EXPECT_EQ(&target::VendorTable::of(table.vendor), &table);
    EXPECT_FALSE(table.targets.empty());
    targets += table.targets.size();
    for (const target::Target &target : table.targets) {
      EXPECT_EQ(target.vendor, table.vendor);
      EXPECT_EQ(target::VendorTable::ofTargetName(target.name), &table);
      std::vector<const vendor::Vendor *> vendors = vendorsOf(target);
      ASSERT_LE(vendors.size(), 1u) << target.name;
      EXPECT_EQ(vendor::find(target), vendors.empty() ? nullptr : vendors.front());
    }
  }
  EXPECT_EQ(targets, target::Target::all().size());
  EXPECT_EQ(target::VendorTable::ofTargetName("vax:780"), nullptr);
  EXPECT_EQ(target::VendorTable::ofTargetName(""), nullptr);
  EXPECT_FALSE(vendor::all().empty());
}

TEST(Vendors, NamesArePrefixesOfTheirTargetsAndDiffer) {
  std::set<std::string_view> names, buildNames, prefixes, codes;
  for (const target::VendorTable &table : target::VendorTable::all()) {
    EXPECT_TRUE(names.insert(table.name).second);
    EXPECT_TRUE(buildNames.insert(table.buildName).second);
    EXPECT_TRUE(prefixes.insert(table.prefix).second);
    EXPECT_TRUE(codes.insert(table.files.code).second);
    EXPECT_TRUE(table.files.code.starts_with("."));
  }
}

// Whoever has a vendor has its lowering and its code generator, which know their target.
TEST(Vendors, MakeWhatEachTargetNeeds) {
  for (const vendor::Vendor *vendor : vendor::all())
    for (const target::Target &target : vendor->getTable().targets) {
      EXPECT_EQ(vendor->createLowering(target)->getTarget().name, target.name);
      EXPECT_EQ(vendor->createBackend(target)->getTarget().name, target.name);
      EXPECT_FALSE(vendor->getSimulatedOperations().prefixes.empty());
    }
}

TEST(Vendors, AMissingOneIsAnErrorThatSaysHowToGetIt) {
  for (const target::Target &target : target::Target::all()) {
    Expected<const vendor::Vendor *> found = vendor::get(target);
    EXPECT_EQ(bool(found), vendor::find(target) != nullptr);
    tilewright::Diagnostic error = found ? vendor::missingVendor(target) : found.error();
    const target::VendorTable &table = target::VendorTable::of(target.vendor);
    EXPECT_NE(error.message.find("this build has no " + std::string(table.name) + " support"),
              std::string::npos);
    EXPECT_NE(error.remedy.find("-DTILEWRIGHT_VENDORS="), std::string::npos);
    EXPECT_NE(error.remedy.find(table.buildName), std::string::npos);
  }
}

/// What the passes of the lowering find for a module that names `target`.
std::unique_ptr<lower::TargetLowering> loweringFor(MLIRContext &context, std::string_view target) {
  auto module = parseSourceString<ModuleOp>(
      "module attributes {ttg.target = \"" + std::string(target) + "\"} {}", &context);
  return lower::createTargetLowering(*module);
}

TEST(Vendors, ALoweringIsFoundByTheNameInTheModule) {
  DialectRegistry registry;
  registry.insert<ttg::TritonGPUDialect>();
  vendor::registerAll(registry);
  MLIRContext context(registry);
  context.loadDialect<ttg::TritonGPUDialect>();
  for (const target::Target &target : target::Target::all()) {
    std::unique_ptr<lower::TargetLowering> lowering = loweringFor(context, target.name);
    ASSERT_EQ(lowering != nullptr, vendor::find(target) != nullptr) << target.name;
    if (lowering)
      EXPECT_EQ(&lowering->getTarget(), target::Target::find(target.name));
  }
  EXPECT_FALSE(loweringFor(context, "cuda:70"));
  EXPECT_FALSE(loweringFor(context, ""));
  // Nor without the vendors.
  MLIRContext plain;
  plain.loadDialect<ttg::TritonGPUDialect>();
  EXPECT_FALSE(loweringFor(plain, vendor::all().front()->getTable().targets.front().name));
}

} // namespace
