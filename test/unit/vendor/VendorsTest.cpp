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

#include "emit/Backend.h"
#include "simulate/Simulator.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
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

/// Which lane each lane takes from: all exclusive ors, one lane, turns, and permutations at random.
std::vector<std::vector<unsigned>> shufflesOf(unsigned lanes) {
  std::vector<std::vector<unsigned>> shuffles;
  auto add = [&](auto source) {
    std::vector<unsigned> &sources = shuffles.emplace_back();
    for (unsigned lane = 0; lane < lanes; ++lane)
      sources.push_back(source(lane));
  };
  for (unsigned n = 0; n < lanes; ++n) {
    add([&](unsigned lane) { return lane ^ n; });
    add([&](unsigned) { return n; });
    add([&](unsigned lane) { return (lane + n) % lanes; });
  }
  std::mt19937 random(3);
  std::vector<unsigned> permutation(lanes);
  std::iota(permutation.begin(), permutation.end(), 0);
  for (int i = 0; i < 50; ++i) {
    std::shuffle(permutation.begin(), permutation.end(), random);
    add([&](unsigned lane) { return permutation[lane]; });
  }
  return shuffles;
}

// What a table says that there is, emission is asked for: it has to make it.
TEST(Vendors, EmitWhatTheirTablesList) {
  DialectRegistry registry;
  registry.insert<ttg::TritonGPUDialect, LLVM::LLVMDialect>();
  vendor::registerAll(registry);
  MLIRContext context(registry);
  context.loadDialect<ttg::TritonGPUDialect, LLVM::LLVMDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  for (const vendor::Vendor *vendor : vendor::all())
    for (const target::Target &target : vendor->getTable().targets) {
      OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
      builder.setInsertionPointToStart(module->getBody());
      auto function = LLVM::LLVMFuncOp::create(
          builder, loc, "f",
          LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&context), {i32, f32}));
      builder.setInsertionPointToStart(function.addEntryBlock(builder));
      Value word = function.getArgument(0), number = function.getArgument(1);
      std::unique_ptr<lower::TargetLowering> lowering = vendor->createLowering(target);

      using target::WarpReduction;
      for (unsigned r = 0; r <= static_cast<unsigned>(WarpReduction::MaxNumber); ++r)
        if (auto reduction = static_cast<WarpReduction>(r);
            target.execution.warpReductions.contains(reduction)) {
          bool ofFloats = reduction >= WarpReduction::AddFloat;
          EXPECT_TRUE(lowering->reduceWarp(builder, loc, ofFloats ? number : word, reduction))
              << target.name << " " << r;
        }
      if (target.execution.hasByteDotProduct)
        EXPECT_TRUE(lowering->emitByteDotProduct(builder, loc, word, word, word)) << target.name;
      if (target.execution.hasMultiplyHigh)
        EXPECT_TRUE(lowering->emitMultiplyHigh(builder, loc, word, word, /*isSigned=*/true))
            << target.name;
      if (target.execution.hasFloat8Casts)
        for (FloatType type : std::initializer_list<FloatType>{Float8E4M3FNType::get(&context),
                                                               Float8E5M2Type::get(&context)}) {
          Value packed = lowering->emitPackedFloat8(builder, loc, number, number, type);
          EXPECT_TRUE(packed.getType().isInteger(16)) << target.name;
          EXPECT_EQ(lowering->emitUnpackedFloat8(builder, loc, packed).getType(),
                    VectorType::get(2, builder.getF16Type()))
              << target.name;
        }
      if (lowering->hasLibraryFunction("tanh"))
        EXPECT_EQ(lowering->emitLibraryFunction(builder, loc, "tanh", number).getType(), f32);
      EXPECT_FALSE(lowering->hasLibraryFunction("no such function"));
      auto emits = [&](llvm::function_ref<void()> emit) {
        const auto count = std::distance(builder.getBlock()->begin(), builder.getBlock()->end());
        emit();
        return std::distance(builder.getBlock()->begin(), builder.getBlock()->end()) > count;
      };
      if (lowering->canPrint())
        EXPECT_TRUE(emits([&] { lowering->emitPrint(builder, loc, "%d", word); })) << target.name;
      if (lowering->canFail())
        EXPECT_TRUE(emits([&] { lowering->emitAssertionFailure(builder, loc, "", "", "", 1); }))
            << target.name;
      if (auto *fixedShuffle = target.costs.fixedShuffle)
        for (const std::vector<unsigned> &sources : shufflesOf(target.execution.threadsPerWarp))
          if (!fixedShuffle(sources).isIndexed)
            EXPECT_TRUE(lowering->shuffleFixed(builder, loc, word, sources)) << target.name;
    }
}

/// The passes that a code generator lists before any rule: each name with the one before it.
using Listed = std::set<std::pair<std::string, std::string>>;

std::string argumentOf(const llvm::Pass &pass) {
  const llvm::PassInfo *info = llvm::PassRegistry::getPassRegistry()->getPassInfo(pass.getPassID());
  return info ? info->getPassArgument().str() : std::string();
}

/// Takes the passes of LLVM's list, and runs none.
class PassList final : public llvm::legacy::PassManagerBase {
public:
  void add(llvm::Pass *pass) override {
    const std::string name = argumentOf(*pass);
    listed.emplace(previous, name);
    names.insert(name);
    previous = name;
    passes.emplace_back(pass);
  }

  Listed listed;
  std::set<std::string> names;

private:
  std::string previous;
  std::vector<std::unique_ptr<llvm::Pass>> passes;
};

TEST(Vendors, PassesOfRulesAreThoseOfTheCodeGenerator) {
  for (const vendor::Vendor *vendor : vendor::all())
    for (const target::Target &target : vendor->getTable().targets) {
      std::unique_ptr<emit::Backend> backend = vendor->createBackend(target);
      std::shared_ptr<llvm::TargetMachine> machine = backend->createMachine({});
      ASSERT_TRUE(machine) << target.name;
      auto lock = backend->lockGenerator();
      llvm::SmallString<0> text;
      llvm::raw_svector_ostream out(text);
      PassList passes;
      ASSERT_FALSE(
          machine->addPassesToEmitFile(passes, out, /*DwoOut=*/nullptr, backend->getFileType()))
          << target.name;
      for (const emit::CodeGenRule &rule : backend->getCodeGenRules()) {
        EXPECT_TRUE(passes.names.contains(rule.pass.str()))
            << target.name << ": LLVM has no pass " << rule.pass.str();
        if (!rule.previous.empty())
          EXPECT_TRUE(passes.listed.contains({rule.previous.str(), rule.pass.str()}))
              << target.name << ": " << rule.previous.str() << " is not directly before "
              << rule.pass.str();
      }
    }
}

TEST(Vendors, StepsAndRulesSayWhatTheyAreFor) {
  for (const vendor::Vendor *vendor : vendor::all()) {
    std::unique_ptr<emit::Backend> backend =
        vendor->createBackend(vendor->getTable().targets.front());
    std::set<std::string> names;
    for (llvm::ArrayRef<emit::Step> steps :
         {backend->getLegalizingSteps(), backend->getTargetSteps()})
      for (const emit::Step &step : steps) {
        EXPECT_TRUE(names.insert(step.name.str()).second) << step.name.str();
        EXPECT_TRUE(step.run) << step.name.str();
        EXPECT_FALSE(step.why.empty()) << step.name.str();
      }
    EXPECT_FALSE(backend->getTargetSteps().empty());
    for (const emit::CodeGenRule &rule : backend->getCodeGenRules()) {
      EXPECT_TRUE(rule.createBefore || rule.runs) << rule.pass.str() << " has a rule of nothing";
      EXPECT_FALSE(rule.why.empty()) << rule.pass.str();
    }
  }
}

TEST(Vendors, StepsAreLoggedInTheirOrder) {
  for (const vendor::Vendor *vendor : vendor::all())
    for (const target::Target &target : vendor->getTable().targets) {
      std::unique_ptr<emit::Backend> backend = vendor->createBackend(target);
      std::shared_ptr<llvm::TargetMachine> machine = backend->createMachine({});
      const emit::EmitOptions options;
      const emit::StepInput input = {target, *machine, options};
      std::vector<std::string> expected = {"optimize"}, logged;
      for (llvm::ArrayRef<emit::Step> steps :
           {backend->getLegalizingSteps(), backend->getTargetSteps()})
        for (const emit::Step &step : steps)
          if (!step.when || step.when(input))
            expected.push_back(step.name.str());
      machine.reset();
      emit::OwnedModule module;
      module.context = std::make_unique<llvm::LLVMContext>();
      module.module = std::make_unique<llvm::Module>("m", *module.context);
      Expected<emit::EmittedCode> code =
          emit::emitCode(std::move(module), *backend, options,
                         [&](std::string_view step, const llvm::Module &after) {
                           EXPECT_EQ(after.getName(), "m");
                           logged.emplace_back(step);
                         });
      ASSERT_TRUE(code) << code.error().message;
      EXPECT_EQ(logged, expected) << target.name;
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
