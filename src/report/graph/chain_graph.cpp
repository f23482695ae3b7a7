#include "report/graph/chain_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/format/layout.hpp"
#include "report/format/markup.hpp"
#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"

namespace waitstate::report {

ChainGraph::ChainGraph(const std::vector<NumberedInstance>& instances) {
  for (const NumberedInstance& i : instances) {
    const WaitChain& chain = *i.instance->chain;
    std::size_t before = 0;
    for (std::size_t s = 0; s < chain.steps.size(); ++s) {
      const ChainStep& step = chain.steps[s];
      const std::size_t v =
          vertex({.location = step.location, .callpath = step.callpath, .enter = step.enter, .ticks = step.ticks});
      if (s == 0)
        vertices_[v].is_first = true;
      else
        connect(before, v, chain.steps[s - 1].crossing, step.share);
      before = v;
    }
    if (!chain.root.valid()) continue;
    const std::size_t root = vertex({.location = chain.steps.back().culprit,
                                     .callpath = chain.root,
                                     .ticks = chain.root_ticks,
                                     .is_root = true,
                                     .is_cause = chain.end == WaitChain::End::work});
    connect(before, root, chain.steps.back().crossing, chain.root_share);
  }
}

std::size_t ChainGraph::vertex(const Vertex& v) {
  const auto known = std::find_if(vertices_.begin(), vertices_.end(), [&](const Vertex& other) {
    return other.is_root == v.is_root && other.location == v.location && other.callpath == v.callpath &&
           other.enter == v.enter;
  });
  if (known != vertices_.end()) {
    known->ticks = std::max(known->ticks, v.ticks);
    return static_cast<std::size_t>(known - vertices_.begin());
  }
  vertices_.push_back(v);
  return vertices_.size() - 1;
}

void ChainGraph::connect(std::size_t from, std::size_t to, Crossing crossing, double share) {
  const auto known =
      std::find_if(edges_.begin(), edges_.end(), [&](const Edge& e) { return e.from == from && e.to == to; });
  if (known == edges_.end())
    edges_.push_back({from, to, crossing, share});
  else
    known->share = std::max(known->share, share);
}

namespace {

struct ChainTexts {
  const AnalysisResult& result;
  std::string who(const ChainGraph::Vertex& v) const {
    return printable(v.location.valid() ? location_label(result.definitions, v.location) : "somebody");
  }
  std::string path(const ChainGraph::Vertex& v) const {
    return v.callpath.valid() ? printable(callpath_label(result, v.callpath)) : "-";
  }
  std::string seconds(Ticks ticks) const { return fmt::format("{:.6g}", result.seconds(ticks)); }
  /// What it is.
  static const char* kind(const ChainGraph::Vertex& v) {
    return !v.is_root ? "wait" : v.is_cause ? "cause" : "unexplained";
  }
};

}  // namespace

void write_dot(const ChainGraph& graph, const AnalysisResult& result, std::ostream& out) {
  const ChainTexts texts{result};
  TextStream text(out);
  text.print(
      "digraph G {{\nlabel=\"why the most severe waits were: an arrow goes to the reason; bold: the waits, red: the "
      "causes\";\nrankdir=LR;\nnode [shape=box];\n");
  for (std::size_t i = 0; i < graph.vertices().size(); ++i) {
    const ChainGraph::Vertex& v = graph.vertices()[i];
    const char* const what = v.is_root ? "longer in" : "waited in";
    text.print("{} [label={}, kind={}, ticks={}{}{}];\n", i,
               dot_string(fmt::format("{}\n{} s {}\n{}", texts.who(v), texts.seconds(v.ticks), what, texts.path(v))),
               ChainTexts::kind(v), v.ticks, v.is_first ? ", style=bold" : "",
               !v.is_root   ? ""
               : v.is_cause ? ", color=red"
                            : ", style=dashed");
  }
  for (const ChainGraph::Edge& e : graph.edges())
    text.print("{}->{} [label={}, crossing={}, share={:.6g}];\n", e.from, e.to,
               dot_string(fmt::format("{:.0f} %", 100 * e.share)), enum_name(e.crossing), e.share);
  text.print("}}\n");
  text.flush();
}

void write_graphml(const ChainGraph& graph, const AnalysisResult& result, std::ostream& out) {
  const ChainTexts texts{result};
  TextStream text(out);
  text.print(R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="key0" for="node" attr.name="kind" attr.type="string" />
  <key id="key1" for="node" attr.name="location" attr.type="string" />
  <key id="key2" for="node" attr.name="callpath" attr.type="string" />
  <key id="key3" for="node" attr.name="ticks" attr.type="long" />
  <key id="key4" for="node" attr.name="first" attr.type="boolean" />
  <key id="key5" for="edge" attr.name="crossing" attr.type="string" />
  <key id="key6" for="edge" attr.name="share" attr.type="double" />
  <graph id="G" edgedefault="directed" parse.nodeids="canonical" parse.edgeids="canonical" parse.order="nodesfirst">
)");
  const auto data = [&](int key, const auto& value) {
    text.print("      <data key=\"key{}\">{}</data>\n", key, value);
  };
  for (std::size_t i = 0; i < graph.vertices().size(); ++i) {
    const ChainGraph::Vertex& v = graph.vertices()[i];
    text.print("    <node id=\"n{}\">\n", i);
    data(0, ChainTexts::kind(v));
    data(1, xml_escaped(texts.who(v)));
    data(2, xml_escaped(texts.path(v)));
    data(3, v.ticks);
    data(4, v.is_first);
    text.print("    </node>\n");
  }
  for (std::size_t i = 0; i < graph.edges().size(); ++i) {
    const ChainGraph::Edge& e = graph.edges()[i];
    text.print("    <edge id=\"e{}\" source=\"n{}\" target=\"n{}\">\n", i, e.from, e.to);
    data(5, enum_name(e.crossing));
    data(6, fmt::format("{:.6g}", e.share));
    text.print("    </edge>\n");
  }
  text.print("  </graph>\n</graphml>\n");
  text.flush();
}

}  // namespace waitstate::report
