#include "waitstate/trace/call_tree.hpp"

#include <algorithm>

#include "util/hash.hpp"

namespace waitstate {

std::size_t CallTree::Hash::operator()(const CallPath& p) const noexcept {
  return static_cast<std::size_t>(util::mixed(util::joined(p.parent.value, p.region.value), p.program.value));
}

CallTree::CallTree() = default;
CallTree::CallTree(const CallTree&) = default;
CallTree::CallTree(CallTree&&) noexcept = default;
CallTree& CallTree::operator=(const CallTree&) = default;
CallTree& CallTree::operator=(CallTree&&) noexcept = default;
CallTree::~CallTree() = default;

CallPathId CallTree::find_or_add(const CallPath& path) {
  auto [it, added] = ids_.try_emplace(path, CallPathId{paths_.size()});
  if (added) {
    paths_.push_back(path);
    first_seen_.push_back(~std::uint64_t{0});
  }
  return it->second;
}

CallPathId CallTree::find(const CallPath& path) const {
  const auto it = ids_.find(path);
  return it == ids_.end() ? CallPathId::none() : it->second;
}

CallTree CallTree::in_order(const std::vector<CallPathId>& order) const {
  CallTree tree;
  std::vector<CallPathId> numbers(size());
  for (const CallPathId id : order) {
    const CallPath& p = (*this)[id];
    const CallPathId parent = p.parent.valid() ? numbers[p.parent.index()] : p.parent;
    numbers[id.index()] = tree.find_or_add({parent, p.region, p.program});
    tree.first_seen_[numbers[id.index()].index()] = first_seen_[id.index()];
  }
  return tree;
}

void CallTree::join_seen(const CallTree& other) {
  for (std::size_t i = 0; i < other.first_seen_.size(); ++i)
    first_seen_[i] = std::min(first_seen_[i], other.first_seen_[i]);
}

std::string_view file_name(std::string_view path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view CallTree::name(CallPathId id, const Definitions& definitions) const {
  const CallPath& p = (*this)[id];
  if (p.program.valid()) return file_name(definitions[p.program]);
  return p.region.valid() ? std::string_view{definitions[p.region].name} : std::string_view{"(unknown region)"};
}

std::string CallTree::path(CallPathId id, const Definitions& definitions) const {
  std::vector<std::string_view> names;
  std::size_t length = 0;
  for (CallPathId i = id; i.valid(); i = (*this)[i].parent) {
    names.push_back(name(i, definitions));
    length += names.back().size() + 1;
  }
  std::string result;
  result.reserve(length);
  for (auto it = names.rbegin(); it != names.rend(); ++it) {
    if (!result.empty()) result += '/';
    result += *it;
  }
  return result;
}

std::vector<CallPathId> CallTree::depth_first() const {
  std::vector<std::vector<CallPathId>> children(paths_.size());
  std::vector<CallPathId> open, order;
  for (std::size_t i = paths_.size(); i-- > 0;) {
    if (paths_[i].parent.valid())
      children[paths_[i].parent.index()].push_back(CallPathId{i});
    else
      open.push_back(CallPathId{i});
  }
  order.reserve(paths_.size());
  const auto later = [&](CallPathId a, CallPathId b) { return first_seen_[a.index()] > first_seen_[b.index()]; };
  std::stable_sort(open.begin(), open.end(), later);
  for (auto& below : children) std::stable_sort(below.begin(), below.end(), later);
  while (!open.empty()) {  // both lists hold the first child last
    const CallPathId id = open.back();
    open.pop_back();
    order.push_back(id);
    const auto& below = children[id.index()];
    open.insert(open.end(), below.begin(), below.end());
  }
  return order;
}

}  // namespace waitstate
