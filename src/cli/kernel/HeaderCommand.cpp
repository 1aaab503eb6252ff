//===- HeaderCommand.cpp - The command tilewright generate-header -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/kernel/KernelHeader.h"
#include "runtime/files/Files.h"

#include "llvm/Support/Path.h"

#include <functional>
#include <map>

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

static cl::list<std::string> descriptions(cl::Positional, cl::desc("NAME.json..."),
                                          cl::sub(headerCommand));
static cl::opt<std::string> header("header", cl::value_desc("FILE"),
                                   cl::desc("The header to write, with the function's declaration"),
                                   cl::sub(headerCommand));
static cl::opt<std::string> source("source", cl::value_desc("FILE"),
                                   cl::desc("The source file to write, with the kernels' code"),
                                   cl::sub(headerCommand));
static cl::opt<std::string> nameSpace("namespace", cl::value_desc("NAME"), cl::init("kernels"),
                                      cl::desc("The function's namespace (default: kernels)"),
                                      cl::sub(headerCommand));
static cl::opt<std::string> from("from", cl::value_desc("FILE"),
                                 cl::desc("What the kernels were compiled of, for the comment"),
                                 cl::sub(headerCommand));

/// The number of a target, for families that count theirs: 90 of "cuda:90", else 0.
static unsigned numberOf(llvm::StringRef target) {
  unsigned number = 0;
  return target.split(':').second.getAsInteger(10, number) ? 0 : number;
}

/// The kernels that were compiled, in the order in which a device is to be offered them: code for
/// newer GPUs first, where these are numbered.
static Expected<std::vector<CompiledKernel>> readKernels() {
  std::multimap<unsigned, CompiledKernel, std::greater<>> newestFirst;
  for (const std::string &file : descriptions) {
    llvm::StringRef folder = llvm::sys::path::parent_path(file);
    Expected<CompiledKernel> kernel =
        readCompiledKernel(folder.empty() ? "." : folder.str(), llvm::sys::path::stem(file).str());
    if (!kernel)
      return kernel.error();
    if (kernel->nativeCode.empty())
      return makeFileError(file, "there is no code for " + kernel->metadata.target + " beside it",
                           "compile the kernel with a tilewright that has the vendor");
    newestFirst.emplace(numberOf(kernel->metadata.target), std::move(*kernel));
  }
  std::vector<CompiledKernel> kernels;
  for (auto &[number, kernel] : newestFirst)
    kernels.push_back(std::move(kernel));
  return kernels;
}

int cli::runHeaderCommand() {
  if (descriptions.empty() || header.empty() || source.empty())
    return report(makeError("no header can be written of nothing, or to nowhere",
                            "say `tilewright generate-header NAME.json --header FILE --source "
                            "FILE`"));
  Expected<std::vector<CompiledKernel>> kernels = readKernels();
  if (!kernels)
    return report(kernels.error());
  Expected<KernelHeader> written =
      writeKernelHeader(*kernels, {llvm::sys::path::filename(header).str(), nameSpace, from});
  if (!written)
    return report(written.error());
  const runtime::FileContents files[] = {{header, written->header}, {source, written->source}};
  if (Expected<void> done = runtime::writeFiles(files); !done)
    return report(done.error());
  return 0;
}
