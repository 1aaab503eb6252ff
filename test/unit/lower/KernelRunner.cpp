//===- KernelRunner.cpp - Kernels in ttg, lowered and simulated ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "KernelRunner.h"

#include "emit/Emit.h"
#include "ir/ttg/Dialect.h"
#include "lower/core/Passes.h"
#include "target/Target.h"
#include "tilewright/Simulator.h"
#include "vendor/Vendors.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <sstream>

using namespace mlir;
using namespace tilewright;

std::string lower::test::getTargetName() {
  const char *name = std::getenv("TILEWRIGHT_TEST_TARGET");
  return name ? name : "cuda:90";
}

static std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string lower::test::randomLayout(std::mt19937 &random, const std::vector<int64_t> &shape,
                                      unsigned warps) {
  const size_t rank = shape.size();
  auto basis = [&](size_t dim, int64_t value) {
    std::vector<std::string> coordinates(rank, "0");
    coordinates[dim] = std::to_string(value);
    return "[" + join(coordinates) + "]";
  };
  std::vector<std::string> bases;
  for (size_t dim = 0; dim < rank; ++dim)
    for (int64_t value = 1; value < shape[dim]; value *= 2)
      bases.push_back(basis(dim, value));
  std::shuffle(bases.begin(), bases.end(), random);
  // Lanes and warps take some of the bits, or none; registers take the rest.
  auto deal = [&](unsigned count) {
    std::vector<std::string> dealt;
    for (unsigned i = 0; i < count; ++i)
      if (bases.empty() || random() % 6 == 0) {
        dealt.push_back(basis(0, 0));
      } else {
        dealt.push_back(bases.back());
        bases.pop_back();
      }
    return "[" + join(dealt) + "]";
  };
  std::string lanes = deal(5), warpBits = deal(std::countr_zero(warps));
  return "#ttg.linear<{register = [" + join(bases) + "], lane = " + lanes + ", warp = " + warpBits +
         ", block = []}>";
}

std::string lower::test::randomFragments(std::mt19937 &random, const std::vector<int64_t> &shape,
                                         unsigned warps, unsigned elementBytes, bool transposed) {
  const size_t inner = transposed ? 0 : 1;
  int64_t next[2] = {1, 1};
  auto take = [&](size_t dim) {
    std::string basis =
        dim ? "[0, " + std::to_string(next[dim]) + "]" : "[" + std::to_string(next[dim]) + ", 0]";
    next[dim] *= 2;
    return basis;
  };
  std::vector<std::string> registers, lanes, rest, warpBases;
  for (unsigned bytes = elementBytes; bytes < 4; bytes *= 2)
    registers.push_back(take(inner));
  for (size_t dim : {inner, inner, 1 - inner, 1 - inner, 1 - inner})
    lanes.push_back(take(dim));
  for (size_t dim : {0, 1})
    while (next[dim] < shape[dim])
      rest.push_back(take(dim));
  std::shuffle(rest.begin(), rest.end(), random);
  for (unsigned bit = 1; bit < warps; bit *= 2) {
    warpBases.push_back(rest.back());
    rest.pop_back();
  }
  registers.insert(registers.end(), rest.begin(), rest.end());
  return "#ttg.linear<{register = [" + join(registers) + "], lane = [" + join(lanes) +
         "], warp = [" + join(warpBases) + "], block = []}>";
}

std::string lower::test::randomBlocked(std::mt19937 &random, unsigned rank, unsigned warps) {
  // Splits 2^bits at random over the dimensions.
  auto split = [&](unsigned bits) {
    std::vector<unsigned> sizes(rank, 1);
    for (unsigned i = 0; i < bits; ++i)
      sizes[random() % rank] *= 2;
    std::vector<std::string> parts;
    for (unsigned size : sizes)
      parts.push_back(std::to_string(size));
    return "[" + join(parts) + "]";
  };
  std::vector<std::string> order;
  for (unsigned dim = 0; dim < rank; ++dim)
    order.push_back(std::to_string(dim));
  std::shuffle(order.begin(), order.end(), random);
  return "#ttg.blocked<{sizePerThread = " + split(random() % 4) + ", threadsPerWarp = " + split(5) +
         ", warpsPerCTA = " + split(std::countr_zero(warps)) + ", order = [" + join(order) + "]}>";
}

std::string lower::test::tensorType(const std::vector<int64_t> &shape, const std::string &element,
                                    const std::string &encoding) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ", " + encoding + ">";
}

std::string lower::test::pointersTo(const std::string &name, const std::string &base,
                                    const Tile &tile, const std::string &element) {
  const auto &shape = tile.shape;
  std::ostringstream ops;
  // Offsets of rows and columns, each a tensor of rank one first.
  std::string offsets = tensorType(shape, "i32", tile.encoding);
  if (shape.size() == 1) {
    ops << "%" << name << "_offset = tt.make_range {start = 0 : i32, end = " << shape[0]
        << " : i32} : " << offsets << "\n";
  } else {
    for (int dim : {0, 1}) {
      std::vector<int64_t> expanded = {dim ? 1 : shape[0], dim ? shape[1] : 1};
      std::string sliced = tensorType({shape[dim]}, "i32",
                                      "#ttg.slice<{dim = " + std::to_string(1 - dim) +
                                          ", parent = " + tile.encoding + "}>");
      std::string wide = tensorType(expanded, "i32", tile.encoding), d = std::to_string(dim);
      ops << "%" << name << "_range" << d
          << " = tt.make_range {start = 0 : i32, end = " << shape[dim] << " : i32} : " << sliced
          << "\n%" << name << "_wide" << d << " = tt.expand_dims %" << name << "_range" << d
          << " {axis = " << 1 - dim << " : i32} : " << sliced << " -> " << wide << "\n%" << name
          << "_full" << d << " = tt.broadcast %" << name << "_wide" << d << " : " << wide << " -> "
          << offsets << "\n";
    }
    ops << "%" << name << "_stride = arith.constant dense<" << shape[1] << "> : " << offsets
        << "\n%" << name << "_row = arith.muli %" << name << "_full0, %" << name
        << "_stride : " << offsets << "\n%" << name << "_offset = arith.addi %" << name << "_row, %"
        << name << "_full1 : " << offsets << "\n";
  }
  std::string pointers = tensorType(shape, "!tt.ptr<" + element + ">", tile.encoding);
  ops << "%" << name << "_base = tt.splat %" << base << " : !tt.ptr<" << element << "> -> "
      << pointers << "\n%" << name << "_ptr = tt.addptr %" << name << "_base, %" << name
      << "_offset : " << pointers << ", " << offsets << "\n";
  return ops.str();
}

/// "*fp32" as the type of a kernel argument in MLIR.
static std::string argumentType(const std::string &type) {
  std::string element = type.substr(1);
  if (element.starts_with("fp"))
    element = "f" + element.substr(2);
  return "!tt.ptr<" + element + "> {tt.divisibility = 16 : i32}";
}

std::string lower::test::simulateModule(ModuleOp module, CompiledKernel &kernel,
                                        std::vector<runtime::HostArray> &values) {
  kernel.metadata.sharedBytes =
      module->getAttrOfType<IntegerAttr>(ttg::sharedBytesAttrName).getInt();
  const target::Target &target = *target::Target::find(kernel.metadata.target);
  Expected<emit::EmittedCode> emitted =
      emit::emitCode(module, *vendor::find(target)->createBackend(target));
  if (!emitted)
    return render(emitted.error());
  kernel.llir = emitted->llir;

  std::unique_ptr<simulate::Simulator> simulator = simulate::createSimulator();
  Expected<std::unique_ptr<runtime::Kernel>> loaded = simulator->load(kernel);
  if (!loaded)
    return render(loaded.error());
  std::vector<runtime::ArgumentValue> arguments(values.begin(), values.end());
  Expected<void> done = runtime::run(*simulator, **loaded, {}, arguments);
  if (!done)
    return render(done.error());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = std::get<runtime::HostArray>(arguments[i]);
  return "";
}

std::string lower::test::runKernel(const std::string &parameters, const std::string &body,
                                   unsigned warps, std::vector<runtime::HostArray> &values,
                                   std::string *llir, int missingBytes) {
  CompiledKernel kernel;
  kernel.metadata.name = "k";
  kernel.metadata.target = getTargetName();
  kernel.metadata.numWarps = static_cast<int>(warps);
  std::vector<std::string> signature;
  std::istringstream list(parameters);
  for (std::string part; std::getline(list, part, ',');) {
    part.erase(0, part.find_first_not_of(' '));
    size_t colon = part.find(": ");
    KernelArgument argument;
    argument.name = part.substr(0, colon);
    argument.type = part.substr(colon + 2);
    kernel.metadata.arguments.push_back(argument);
    signature.push_back("%" + argument.name + ": " + argumentType(argument.type));
  }
  std::string text = "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = " +
                     std::to_string(warps) + " : i32, ttg.target = \"" + getTargetName() +
                     "\", \"ttg.threads-per-warp\" = 32 : i32} {\n"
                     "tt.func public @k(" +
                     join(signature) + ") {\n" + body + "tt.return\n}\n}\n";

  DialectRegistry registry;
  registry.insert<tt::TritonDialect, ttg::TritonGPUDialect>();
  emit::registerTranslation(registry);
  vendor::registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string errors;
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return errors + text;
  PassManager passes(&context);
  passes.addPass(createLegalizeViewsPass());
  passes.addPass(createSetAccessWidthPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createAllocateSharedMemoryPass());
  PassManager lowering(&context);
  lowering.addPass(createConvertTritonGPUToLLVMPass());
  if (failed(passes.run(*module)))
    return errors + text;
  if (missingBytes > 0) {
    auto bytes = (*module)->getAttrOfType<IntegerAttr>(ttg::sharedBytesAttrName);
    const int64_t left = std::max<int64_t>(1, bytes.getInt() - missingBytes);
    (*module)->setAttr(ttg::sharedBytesAttrName, IntegerAttr::get(bytes.getType(), left));
  }
  if (failed(lowering.run(*module)))
    return errors + text;
  std::string error = simulateModule(*module, kernel, values);
  if (llir)
    *llir = kernel.llir;
  return error.empty() ? "" : error + text;
}
