#include "report/graph/chain_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/format/graphml.hpp"
#include "report/format/layout.hpp"
#include "report/format/markup.hpp"
#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"
#include "report/format/units.hpp"

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
    for (const ChainCause& cause : further_causes(chain)) connect_cause(chain, cause);
  }
}

// From the wait for the location that was busy; from the first wait if the chain does not lead there.
void ChainGraph::connect_cause(const WaitChain& chain, const ChainCause& cause) {
  const auto leads_there = std::find_if(chain.steps.begin(), chain.steps.end(),
                                        [&](const ChainStep& s) { return s.culprit == cause.location; });
  const ChainStep& step = leads_there != chain.steps.end() ? *leads_there : chain.steps.front();
  const std::size_t from =
      vertex({.location = step.location, .callpath = step.callpath, .enter = step.enter, .ticks = step.ticks});
  const std::size_t to = vertex({.location = cause.location,
                                 .callpath = cause.callpath,
                                 .ticks = cause.ticks,
                                 .is_root = true,
                                 .is_cause = true});
  connect(from, to, step.crossing, cause.share);
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
  /// File and line; empty if the trace does not tell them.
  std::string source(const ChainGraph::Vertex& v) const {
    return v.callpath.valid() ? callpath_source(result, v.callpath) : std::string();
  }
  /// The kind of a vertex.
  static const char* kind(const ChainGraph::Vertex& v) {
    return !v.is_root ? "wait" : v.is_cause ? "cause" : "unexplained";
  }
};

}  // namespace

void write_dot(const ChainGraph& graph, const AnalysisResult& result, std::ostream& out) {
  const ChainTexts texts{result};
  TextStream text(out);
  text.print(
      "digraph G {{\nlabel=\"causes of the most severe waits: an arrow points to the reason; bold: the waits, red: the "
      "causes\";\nrankdir=LR;\nnode [shape=box];\n");
  for (std::size_t i = 0; i < graph.vertices().size(); ++i) {
    const ChainGraph::Vertex& v = graph.vertices()[i];
    const char* const what = v.is_root ? "longer in" : "waited in";
    text.print("{} [label={}, kind={}, ticks={}{}{}];\n", i,
               dot_string(fmt::format("{}\n{} {}\n{}{}{}", texts.who(v), duration_text(result.seconds(v.ticks)), what,
                                      texts.path(v), texts.source(v).empty() ? "" : "\n", texts.source(v))),
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
  GraphmlWriter writer(out, {{"node", "kind", "string"},
                             {"node", "location", "string"},
                             {"node", "callpath", "string"},
                             {"node", "source", "string"},
                             {"node", "ticks", "long"},
                             {"node", "first", "boolean"},
                             {"edge", "crossing", "string"},
                             {"edge", "share", "double"}});
  for (std::size_t i = 0; i < graph.vertices().size(); ++i)
    writer.node(i, [&, &v = graph.vertices()[i]] {
      writer.data(0, ChainTexts::kind(v));
      writer.data(1, texts.who(v));
      writer.data(2, texts.path(v));
      if (const std::string source = texts.source(v); !source.empty()) writer.data(3, source);
      writer.data(4, v.ticks);
      writer.data(5, v.is_first);
    });
  for (const ChainGraph::Edge& e : graph.edges())
    writer.edge(e.from, e.to, [&] {
      writer.data(6, enum_name(e.crossing));
      writer.data(7, fmt::format("{:.6g}", e.share));
    });
  writer.finish();
}

}  // namespace waitstate::report
