//===- BlockLoadReport.cpp - Plans of block messages, by their texts ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/layout/BlockLoadReport.h"

#include "cli/layout/LayoutArguments.h"
#include "ir/ttig/Dialect.h"
#include "plan/block2d/BlockLoadSteps.h"
#include "plan/block2d/BlockMessages.h"
#include "target/Target.h"
#include "view/PlanText.h"

using namespace tilewright;
using namespace tilewright::cli;
using plan::block2d::BlockAccess;
using plan::block2d::BlockMessageLimits;
using plan::block2d::MemoryOrder;
using target::Target;

namespace {

/// The value of a member `member` of the query that has a few by name; `given` is which.
template <typename T>
Expected<T> choose(const BlockLoadQuery &query, const std::string &member, const std::string &given,
                   std::initializer_list<std::pair<llvm::StringRef, T>> choices) {
  std::string names;
  for (const auto &[name, value] : choices) {
    if (given == name)
      return value;
    bool isLast = name == std::rbegin(choices)->first;
    names += (names.empty() ? "" : isLast ? " or " : ", ") + name.str();
  }
  return makeError("there is no " + member + " '" + given + "'",
                   query.prefix + member + " is " + names);
}

Expected<const BlockMessageLimits *> limitsOf(const BlockLoadQuery &query) {
  Result<const Target *> target = Target::parse(query.target);
  if (!target)
    return makeError(target.error(), "name one with " + query.prefix + "target");
  if (const BlockMessageLimits *limits = plan::block2d::blockMessageLimits(**target))
    return limits;
  std::string names;
  for (const Target &other : Target::all())
    if (plan::block2d::blockMessageLimits(other))
      names += (names.empty() ? "" : ", ") + std::string(other.name);
  return makeError("target " + query.target + " has no 2D block messages",
                   "targets that have them are " + names);
}

enum class View { Automatic, Steps, Messages };

struct Request {
  const BlockLoadQuery &query;
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
Expected<LayoutArgument> parseLayoutOf(LayoutArguments &arguments, const BlockLoadQuery &query,
                                       const TensorArgument &tensor) {
  if (!query.layout.empty())
    return arguments.parseLayout(query.prefix.empty() ? "layout" : "ATTR", query.layout);
  if (tensor.encoding)
    return LayoutArgument{tensor.source, tensor.encoding};
  return makeError("no layout was given", "say `tilewright blockload ATTR --tensor TYPE`");
}

Expected<Request> readRequest(LayoutArguments &arguments, const BlockLoadQuery &query) {
  auto memory = choose<MemoryOrder>(
      query, "memory", query.memory,
      {{"row_major", MemoryOrder::RowMajor}, {"column_major", MemoryOrder::ColumnMajor}});
  if (!memory)
    return memory.error();
  auto access = choose<BlockAccess>(query, "access", query.access,
                                    {{"load", BlockAccess::Load},
                                     {"store", BlockAccess::Store},
                                     {"prefetch", BlockAccess::Prefetch}});
  if (!access)
    return access.error();
  auto view = query.view.empty()
                  ? Expected<View>(View::Automatic)
                  : choose<View>(query, "view", query.view,
                                 {{"steps", View::Steps}, {"messages", View::Messages}});
  if (!view)
    return view.error();
  // Only the planner for any layout knows these two.
  for (auto [isGiven, name] :
       {std::pair(query.foldRows, "fold-rows"), std::pair(query.extensionFormsOnly, "spirv")}) {
    if (isGiven && *view == View::Steps)
      return makeError("the view 'steps' cannot have " + query.prefix + name,
                       "say " + query.prefix + "view messages");
    if (isGiven)
      view = View::Messages;
  }
  auto wantsJson = choose<bool>(query, "format", query.format, {{"text", false}, {"json", true}});
  if (!wantsJson)
    return wantsJson.error();
  auto limits = limitsOf(query);
  if (!limits)
    return limits.error();

  if (query.tensor.empty())
    return makeError("no tensor was given",
                     "give " + query.prefix + "tensor a type such as tensor<256x32xf16>");
  auto tensor = arguments.parseTensor(query.prefix + "tensor", query.tensor);
  if (!tensor)
    return tensor.error();
  auto layout = parseLayoutOf(arguments, query, *tensor);
  if (!layout)
    return layout.error();
  auto map = arguments.distributedLayout(*layout, *tensor);
  if (!map)
    return map.error();
  return Request{query, *layout, *tensor, *map, *memory, *access, *limits, *view, *wantsJson};
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
    return makeError("the view 'steps' is one of loads, but " + request.query.prefix +
                         "access is '" + request.query.access + "'",
                     "say " + request.query.prefix + "view messages");
  if (!operand)
    return errorAbout(request.layout.source,
                      "only an operand of DPAS has a plan in steps, which " +
                          textOf(request.layout.attribute) + " is not",
                      "say " + request.query.prefix +
                          "view messages, or give a #ttg.dot_op whose parent is a #ttig.dpas");
  auto steps = planBlockLoadSteps(operand->parent, operand->opIdx, request.tensor.elementBits,
                                  request.tensor.shape, request.memory, *request.limits);
  if (!steps)
    return errorAbout(request.tensor.source, steps.error(),
                      request.query.prefix + "view messages plans for any layout and tensor");
  return request.wantsJson ? view::toJson(*steps) : view::toText(*steps);
}

Expected<std::string> messagesText(const Request &request,
                                   const std::optional<DpasOperand> &operand) {
  auto rank = static_cast<unsigned>(request.tensor.shape.size());
  if (request.memory == MemoryOrder::ColumnMajor && rank < 2)
    return errorAbout(request.tensor.source, "a tensor of one dimension has no columns",
                      "say " + request.query.prefix + "memory row_major");
  plan::block2d::BlockMessageRequest query;
  query.layout = request.map;
  query.elementBits = request.tensor.elementBits;
  query.contiguousDim = request.memory == MemoryOrder::RowMajor ? rank - 1 : rank - 2;
  query.access = request.access;
  query.limits = *request.limits;
  query.foldRows = request.query.foldRows;
  query.spirvFormsOnly = request.query.extensionFormsOnly;
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

Expected<std::string> cli::describeBlockLoad(const BlockLoadQuery &query) {
  LayoutArguments arguments;
  Expected<Request> request = readRequest(arguments, query);
  if (!request)
    return request.error();
  std::optional<DpasOperand> operand = dpasOperandOf(request->layout.attribute);
  bool steps = request->view == View::Steps || (request->view == View::Automatic && operand &&
                                                request->access == BlockAccess::Load);
  Expected<std::string> text =
      steps ? stepsText(*request, operand) : messagesText(*request, operand);
  if (text && !text->ends_with('\n'))
    *text += '\n';
  return text;
}
