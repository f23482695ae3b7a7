// A GraphML file: the frame around keys, nodes and edges, in the form in which Boost writes it.
//
// A graph says its keys once, then nodes, then edges, each with data by the number of a key. Numbers and ids come out
// as they are; texts are escaped here.
#pragma once

#include <concepts>
#include <initializer_list>
#include <ostream>
#include <string_view>

#include "report/format/markup.hpp"
#include "report/format/text_stream.hpp"

namespace waitstate::report {

class GraphmlWriter {
 public:
  struct Attribute {
    const char *of, *name, *type;  ///< "node" or "edge"; "ticks"; "long"
    const char* by_default = "";   ///< where an element has no such data; "": none
  };

  GraphmlWriter(std::ostream& out, std::initializer_list<Attribute> keys) : text_(out) {
    text_.print(R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
)");
    int number = 0;
    for (const Attribute& k : keys) {
      text_.print(R"(  <key id="key{}" for="{}" attr.name="{}" attr.type="{}")", number++, k.of, k.name, k.type);
      if (*k.by_default == '\0')
        text_.print(" />\n");
      else
        text_.print("><default>{}</default></key>\n", k.by_default);
    }
    text_.print(
        R"(  <graph id="G" edgedefault="directed" parse.nodeids="canonical" parse.edgeids="canonical" parse.order="nodesfirst">
)");
  }

  /// `write_data` writes what belongs to it.
  template <class WriteData>
  void node(std::size_t number, WriteData&& write_data) {
    text_.print("    <node id=\"n{}\">\n", number);
    write_data();
    text_.print("    </node>\n");
  }
  /// Edges are numbered as they come.
  template <class WriteData>
  void edge(std::size_t from, std::size_t to, WriteData&& write_data) {
    text_.print("    <edge id=\"e{}\" source=\"n{}\" target=\"n{}\">\n", edges_++, from, to);
    write_data();
    text_.print("    </edge>\n");
  }
  template <class Value>
  void data(int key, const Value& value) {
    if constexpr (std::convertible_to<Value, std::string_view>)
      text_.print("      <data key=\"key{}\">{}</data>\n", key, xml_escaped(value));
    else
      text_.print("      <data key=\"key{}\">{}</data>\n", key, value);
  }
  void finish() {
    text_.print("  </graph>\n</graphml>\n");
    text_.flush();
  }

 private:
  TextStream text_;
  std::size_t edges_ = 0;
};

}  // namespace waitstate::report
