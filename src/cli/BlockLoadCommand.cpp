//===- BlockLoadCommand.cpp - The command tilewright blockload ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/LayoutArguments.h"
#include "ir/ttig/Dialect.h"
#include "plan/block2d/BlockLoadSteps.h"
#include "plan/block2d/BlockMessages.h"
#include "target/Target.h"
#include "view/PlanText.h"

#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
using plan::block2d::BlockAccess;
using plan::block2d::BlockMessageLimits;
using plan::block2d::MemoryOrder;
using target::Target;
namespace cl = llvm::cl;

static cl::opt<std::string> layoutText(cl::Positional, cl::desc("[ATTR]"),
                                       cl::sub(blockLoadCommand));
static cl::opt<std::string> tensorText("tensor", cl::value_desc("TYPE"),
                                       cl::desc("The tensor, such as tensor<256x32xf16>"),
                                       cl::sub(blockLoadCommand));
static cl::opt<std::string>
    memoryText("memory", cl::value_desc("row_major|column_major"), cl::init("row_major"),
               cl::desc("Which of the last two dimensions is contiguous in memory: the last "
                        "(default) or the last but one"),
               cl::sub(blockLoadCommand));
static cl::opt<std::string> accessText("access", cl::value_desc("load|store|prefetch"),
                                       cl::init("load"),
                                       cl::desc("What the messages do (default load)"),
                                       cl::sub(blockLoadCommand));
static cl::opt<std::string>
    viewText("view", cl::value_desc("steps|messages"),
             cl::desc("steps: tile, iterations and loads of a DPAS operand (default for loads of "
                      "one); messages: the messages of any layout (default otherwise)"),
             cl::sub(blockLoadCommand));
static cl::opt<bool>
    foldRows("fold-rows",
             cl::desc("A message's rows may be pieces of the contiguous dimension. The tensor must "
                      "then start at an address that messages may start at, and have no element "
                      "out of bounds"),
             cl::sub(blockLoadCommand));
static cl::opt<bool> spirvFormsOnly("spirv",
                                    cl::desc("Only messages that SPV_INTEL_2d_block_io has as "
                                             "instructions"),
                                    cl::sub(blockLoadCommand));
static cl::opt<std::string> targetText("target", cl::value_desc("TARGET"), cl::init("xpu:pvc"),
                                       cl::desc("The GPU (default xpu:pvc)"),
                                       cl::sub(blockLoadCommand));
static cl::opt<std::string> formatText("format", cl::value_desc("text|json"), cl::init("text"),
                                       cl::desc("How to print the plan (default text)"),
                                       cl::sub(blockLoadCommand));

namespace {

/// The value of an option that has a few by name.
template <typename T>
Expected<T> choose(const cl::opt<std::string> &option,
                   std::initializer_list<std::pair<llvm::StringRef, T>> choices) {
  std::string names;
  for (const auto &[name, value] : choices) {
    if (option.getValue() == name)
      return value;
    bool isLast = name == std::rbegin(choices)->first;
    names += (names.empty() ? "" : isLast ? " or " : ", ") + name.str();
  }
  std::string flag = option.ArgStr.str();
  return makeError("there is no " + flag + " '" + option + "'", "--" + flag + " is " + names);
}

Expected<const BlockMessageLimits *> limitsOf(llvm::StringRef targetName) {
  Result<const Target *> target = Target::parse(targetName);
  if (!target)
    return makeError(target.error(), "name one with --target");
  if (const BlockMessageLimits *limits = plan::block2d::blockMessageLimits(**target))
    return limits;
  std::string names;
  for (const Target &other : Target::all())
    if (plan::block2d::blockMessageLimits(other))
      names += (names.empty() ? "" : ", ") + std::string(other.name);
  return makeError("target " + targetName.str() + " has no 2D block messages",
                   "targets that have them are " + names);
}

enum class View { Automatic, Steps, Messages };

struct Request {
  LayoutArgument layout;
  TensorArgument tensor;
  /// Of `layout` on `tensor`.
  layout::LinearLayout map;
  MemoryOrder memory;
  BlockAccess access;
  const BlockMessageLimits *limits;
  View view;
  bool wantsJson;
};

/// The layout is the argument, or else the one that the tensor's type names.
Expected<LayoutArgument> parseLayoutOf(LayoutArguments &arguments, const TensorArgument &tensor) {
  if (!layoutText.empty())
    return arguments.parseLayout("ATTR", layoutText);
  if (tensor.encoding)
    return LayoutArgument{tensor.source, tensor.encoding};
  return makeError("no layout was given", "say `tilewright blockload ATTR --tensor TYPE`");
}

Expected<Request> readRequest(LayoutArguments &arguments) {
  auto memory = choose<MemoryOrder>(memoryText, {{"row_major", MemoryOrder::RowMajor},
                                                 {"column_major", MemoryOrder::ColumnMajor}});
  if (!memory)
    return memory.error();
  auto access = choose<BlockAccess>(accessText, {{"load", BlockAccess::Load},
                                                 {"store", BlockAccess::Store},
                                                 {"prefetch", BlockAccess::Prefetch}});
  if (!access)
    return access.error();
  auto view = viewText.empty()
                  ? Expected<View>(View::Automatic)
                  : choose<View>(viewText, {{"steps", View::Steps}, {"messages", View::Messages}});
  if (!view)
    return view.error();
  // Only the planner for any layout knows these two.
  for (const cl::opt<bool> *option : {&foldRows, &spirvFormsOnly}) {
    if (*option && *view == View::Steps)
      return makeError("the view 'steps' cannot have --" + option->ArgStr.str(),
                       "say --view messages");
    if (*option)
      view = View::Messages;
  }
  auto wantsJson = choose<bool>(formatText, {{"text", false}, {"json", true}});
  if (!wantsJson)
    return wantsJson.error();
  auto limits = limitsOf(targetText);
  if (!limits)
    return limits.error();

  if (tensorText.empty())
    return makeError("no tensor was given", "give --tensor a type such as tensor<256x32xf16>");
  auto tensor = arguments.parseTensor("--tensor", tensorText);
  if (!tensor)
    return tensor.error();
  auto layout = parseLayoutOf(arguments, *tensor);
  if (!layout)
    return layout.error();
  auto map = arguments.distributedLayout(*layout, *tensor);
  if (!map)
    return map.error();
  return Request{*layout, *tensor, *map, *memory, *access, *limits, *view, *wantsJson};
}

/// An operand of a matrix product by DPAS.
struct DpasOperand {
  layout::intel::Dpas parent;
  unsigned opIdx;
};

std::optional<DpasOperand> dpasOperandOf(mlir::Attribute attribute) {
  auto operand = mlir::dyn_cast<ttg::DotOperandEncodingAttr>(attribute);
  if (!operand)
    return std::nullopt;
  auto parent = mlir::dyn_cast<ttig::DpasEncodingAttr>(operand.getParent());
  if (!parent)
    return std::nullopt;
  return DpasOperand{parent.getLayout(), operand.getOpIdx()};
}

Diagnostic errorAbout(const ArgumentText &source, std::string message, std::string remedy) {
  return errorAt(source, 0, source.text.size(), std::move(message), std::move(remedy));
}

Expected<std::string> stepsText(const Request &request, const std::optional<DpasOperand> &operand) {
  if (request.access != BlockAccess::Load)
    return makeError("the view 'steps' is one of loads, but --access is '" + accessText + "'",
                     "say --view messages");
  if (!operand)
    return errorAbout(request.layout.source,
                      "only an operand of DPAS has a plan in steps, which " +
                          textOf(request.layout.attribute) + " is not",
                      "say --view messages, or give a #ttg.dot_op whose parent is a #ttig.dpas");
  auto steps = planBlockLoadSteps(operand->parent, operand->opIdx, request.tensor.elementBits,
                                  request.tensor.shape, request.memory, *request.limits);
  if (!steps)
    return errorAbout(request.tensor.source, steps.error(),
                      "--view messages plans for any layout and tensor");
  return request.wantsJson ? view::toJson(*steps) : view::toText(*steps);
}

Expected<std::string> messagesText(const Request &request,
                                   const std::optional<DpasOperand> &operand) {
  auto rank = static_cast<unsigned>(request.tensor.shape.size());
  if (request.memory == MemoryOrder::ColumnMajor && rank < 2)
    return errorAbout(request.tensor.source, "a tensor of one dimension has no columns",
                      "say --memory row_major");
  plan::block2d::BlockMessageRequest query;
  query.layout = request.map;
  query.elementBits = request.tensor.elementBits;
  query.contiguousDim = request.memory == MemoryOrder::RowMajor ? rank - 1 : rank - 2;
  query.access = request.access;
  query.limits = *request.limits;
  query.foldRows = foldRows;
  query.spirvFormsOnly = spirvFormsOnly;
  if (operand) {
    auto [rows, cols] = instructionOperand(operand->parent, operand->opIdx);
    query.operandRegisters = rows * cols / operand->parent.threadsPerWarp;
    if (operand->opIdx == 1)
      query.wordBits = 32;
  }
  auto plan = planBlockMessages(query);
  if (!plan)
    return errorAbout(request.tensor.source, plan.error(), "give another tensor or layout");
  return request.wantsJson ? view::toJson(*plan) : view::toText(*plan);
}

} // namespace

int cli::runBlockLoadCommand() {
  LayoutArguments arguments;
  Expected<Request> request = readRequest(arguments);
  if (!request)
    return report(request.error());
  std::optional<DpasOperand> operand = dpasOperandOf(request->layout.attribute);
  bool steps = request->view == View::Steps || (request->view == View::Automatic && operand &&
                                                request->access == BlockAccess::Load);
  Expected<std::string> text =
      steps ? stepsText(*request, operand) : messagesText(*request, operand);
  if (!text)
    return report(text.error());
  llvm::outs() << *text << (llvm::StringRef(*text).ends_with("\n") ? "" : "\n");
  return 0;
}
