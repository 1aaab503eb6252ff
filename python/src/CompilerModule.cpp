//===- CompilerModule.cpp - The module tilewright._compiler -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The compiler and the simulator, which are loaded when the first kernel needs them. What crosses
// to Python are texts, bytes and numbers.
//
//===--------------------------------------------------------------------------===//

#include "Compile.h"
#include "Diagnostics.h"
#include "LinearLayouts.h"
#include "Pictures.h"
#include "WholeProcess.h"
#include "report/Page.h"
#include "report/Report.h"
#include "target/Target.h"
#include "tilewright/Compiler.h"
#include "tilewright/Simulator.h"

#include "llvm/Support/raw_ostream.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>

namespace nb = nanobind;
using namespace nb::literals;
using namespace tilewright;
using namespace tilewright::python;

/// Compiles without a cache.
static CompileResult compileAnew(const Source &source, const CompileOptions &options) {
  WholeProcess::Use use;
  static Compiler compiler;
  return compiler.compile(source, options);
}

static DescribedCompilation describe(const Source &source, const CompileOptions &options) {
  WholeProcess::Use use;
  report::Report report = report::describeCompilation(source, options);
  DescribedCompilation result{std::move(report.result.diagnostics), {}, {}};
  if (!report.result)
    return result;
  llvm::raw_string_ostream(result.document)
      << llvm::json::Value(llvm::json::Object(report.document));
  std::vector<llvm::json::Object> reports;
  reports.push_back(std::move(report.document));
  result.page = report::renderPage(std::move(reports));
  return result;
}

static const CompilerEntry entry = {compileAnew, describe};

//===--------------------------------------------------------------------------===//
// Simulation
//===--------------------------------------------------------------------------===//

namespace {

/// Shows the line of the source at the places of an error and its notes. A program's text is that
/// of several files, and the simulator, which has no text, looks for its lines in the first of
/// them.
void showSourceLines(Diagnostic &diagnostic) {
  std::ifstream file(diagnostic.where.file);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  diagnostic.sourceLine = sourceLineOf(text, diagnostic.where.line);
  for (Diagnostic &note : diagnostic.notes)
    showSourceLines(note);
}

/// A simulator with one kernel. A launch is one thread's at a time.
class SimulatedKernel {
public:
  /// `name` and `pieces`: those of the source, for errors.
  SimulatedKernel(const CompiledKernel &compiled, std::string name, Pieces pieces)
      : name(std::move(name)), pieces(std::move(pieces)) {
    auto loaded = simulator->load(compiled);
    if (!loaded)
      throw std::make_unique<Diagnostic>(loaded.error());
    kernel = std::move(*loaded);
  }

  /// An argument's memory: the address of its first byte, bytes, whether it is only to be read, and
  /// its name.
  using Lent = std::tuple<uint64_t, size_t, bool, std::string>;

  std::optional<Diagnostic> launch(std::array<uint32_t, 3> grid, const std::string &words,
                                   const std::vector<Lent> &memory) {
    std::lock_guard lock(mutex);
    size_t lent = 0;
    std::optional<Diagnostic> error;
    for (const auto &[address, bytes, isReadOnly, name] : memory) {
      if (Expected<void> done = simulator->lend(address, bytes, isReadOnly, name); !done) {
        error = done.error();
        break;
      }
      ++lent;
    }
    if (!error) {
      auto arguments = readWords(words);
      if (Expected<void> done = simulator->launch(*kernel, {grid[0], grid[1], grid[2]}, arguments);
          !done)
        error = done.error();
    }
    for (size_t i = 0; i < lent; ++i)
      (void)simulator->free({std::get<0>(memory[i])}).operator bool();
    if (error) {
      relocate(*error, name, pieces);
      showSourceLines(*error);
    }
    return error;
  }

private:
  /// The arguments of a launch, of the bits of its parameters.
  std::vector<runtime::LaunchArgument> readWords(const std::string &words) const;

  const std::string name;
  const Pieces pieces;
  std::mutex mutex;
  std::unique_ptr<simulate::Simulator> simulator = simulate::createSimulator();
  std::unique_ptr<runtime::Kernel> kernel;
};

} // namespace

std::vector<runtime::LaunchArgument> SimulatedKernel::readWords(const std::string &words) const {
  size_t next = 0;
  auto take = [&] {
    uint64_t word = 0;
    std::memcpy(&word, words.data() + next, sizeof(word));
    next += sizeof(word);
    return word;
  };
  std::vector<runtime::LaunchArgument> values;
  for (const KernelArgument &argument : kernel->metadata().arguments) {
    if (!argument.isPassed())
      continue;
    if (argument.isDescriptor()) {
      runtime::TensorView view{{take()}, {}, {}};
      for (auto *list : {&view.shape, &view.strides})
        for (size_t dim = 0; dim < argument.rank(); ++dim)
          list->push_back(static_cast<int64_t>(take()));
      values.emplace_back(std::move(view));
      continue;
    }
    const uint64_t word = take();
    if (argument.isPointer()) {
      values.emplace_back(runtime::DevicePointer{word});
    } else if (auto type = runtime::elementTypeNamed(argument.type);
               type && runtime::isFloat(*type)) {
      runtime::HostArray element(*type, {});
      std::memcpy(element.bytes.data(), &word, element.bytes.size());
      values.emplace_back(element.at(0));
    } else {
      values.emplace_back(static_cast<int64_t>(word));
    }
  }
  return values;
}

//===--------------------------------------------------------------------------===//
// The module
//===--------------------------------------------------------------------------===//

NB_MODULE(_compiler, m) {
  m.doc() = "The compiler and the simulator.";
  // Kernels live until the process ends where a class of arrays, which is kept, names them.
  nb::set_leak_warnings(false);

  m.attr("entry") =
      nb::steal(PyCapsule_New(const_cast<CompilerEntry *>(&entry), compilerEntryName, nullptr));

  nb::class_<SimulatedKernel>(m, "SimulatedKernel", "A kernel on the simulator.")
      .def("__init__",
           [](SimulatedKernel *self, const std::string &metadata, const std::string &llir,
              const std::string &name, const Pieces &pieces) {
             auto read = metadataFromJson(metadata, "the compiled kernel");
             if (!read)
               throw nb::value_error(read.error().message.c_str());
             nb::gil_scoped_release release;
             WholeProcess::Use use;
             try {
               new (self) SimulatedKernel(CompiledKernel{*read, llir, {}}, name, pieces);
             } catch (const std::unique_ptr<Diagnostic> &error) {
               throw std::runtime_error(render(*error));
             }
           })
      .def("launch",
           [](SimulatedKernel &self, std::tuple<uint32_t, uint32_t, uint32_t> grid,
              const nb::bytes &words,
              const std::vector<SimulatedKernel::Lent> &memory) -> nb::object {
             const std::string bits(words.c_str(), words.size());
             std::optional<Diagnostic> error;
             {
               nb::gil_scoped_release release;
               WholeProcess::Use use;
               error = self.launch({std::get<0>(grid), std::get<1>(grid), std::get<2>(grid)}, bits,
                                   memory);
             }
             return error ? nb::object(toDict(*error)) : nb::none();
           });

  m.def("targets", [] {
    std::vector<std::string> names;
    for (const target::Target &target : target::Target::all())
      names.emplace_back(target.name);
    return names;
  });
  addLinearLayouts(m);
  addPictures(m);
}
