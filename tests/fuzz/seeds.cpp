// Seeds: the traces of the case files; the reports of one case of each folder, and of a result in which every field has
// a value; for .cubex also what other tools write and we do not: inclusive metrics, dense and compressed rows.
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>

#include "fuzz/targets.hpp"
#include "report/cube/archive.hpp"
#include "report/cube/writer.hpp"
#include "report/full_result.hpp"
#include "report/json/json_writer.hpp"
#include "support/case_file.hpp"
#include "waitstate/trace/notation.hpp"

namespace waitstate::fuzz {
namespace {

/// Of the first case in each folder, and one with everything.
std::vector<AnalysisResult> results() {
  std::vector<AnalysisResult> found;
  std::filesystem::path last;
  for (const std::filesystem::path& path : support::case_paths()) {
    if (path.parent_path() == last) continue;
    last = path.parent_path();
    const support::CaseFile c = support::read_case(path);
    const support::TraceFile trace(c.trace);
    found.push_back(support::analyze_case(c, trace.path()));
    found.back().path = "traces.otf2";
  }
  found.push_back(test::full_result());
  return found;
}

template <class T>
std::string numbers(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

std::string zlib_of(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string compressed(size, '\0');
  compress(reinterpret_cast<Bytef*>(compressed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
           bytes.size());
  compressed.resize(size);
  return compressed;
}

/// Three metrics: inclusive and dense, exclusive with compressed rows, and a minimum.
std::string foreign_members() {
  const std::string row = zlib_of(numbers<std::uint64_t>({1, 2}));
  const std::string index = "CUBEX.INDEX" + numbers<std::uint32_t>({1}) + numbers<std::uint16_t>({0});
  return "=== anchor.xml\n"
         "<?xml version=\"1.0\"?><cube version=\"4.3\"><attr key=\"Creator\" value=\"Score-P 6.0\"/><metrics>"
         "<metric id=\"0\" type=\"INCLUSIVE\"><uniq_name>time</uniq_name><dtype>DOUBLE</dtype><uom>sec</uom>"
         "<metric id=\"2\"><uniq_name>mpi</uniq_name><dtype>MINDOUBLE</dtype><uom>sec</uom></metric></metric>"
         "<metric id=\"1\" type=\"EXCLUSIVE\"><uniq_name>visits</uniq_name><dtype>UINT64</dtype><uom>occ</uom></metric>"
         "<metric id=\"3\" type=\"POSTDERIVED\"><uniq_name>x</uniq_name><dtype>TAU_ATOMIC</dtype></metric></metrics>"
         "<program><region id=\"0\" mod=\"a.c\" begin=\"1\" end=\"-1\"><name>a</name><paradigm>mpi</paradigm>"
         "<role>implicit barrier</role></region><region id=\"1\"><name>b</name></region>"
         "<cnode id=\"0\" calleeId=\"0\"><cnode id=\"1\" calleeId=\"1\"/></cnode></program><system>"
         "<systemtreenode Id=\"0\"><name>m</name><class>machine</class><locationgroup Id=\"0\"><name>p</name>"
         "<rank>0</rank><type>process</type><location Id=\"0\"><name>t</name><type>thread</type></location>"
         "<location Id=\"1\"><name>u</name><type>gpu</type></location></locationgroup></systemtreenode>"
         "<topologies><cart name=\"c\" ndims=\"1\"><dim name=\"x\" size=\"2\" periodic=\"true\"/>"
         "<coord locId=\"0\">0</coord><coord locId=\"1\">1</coord></cart></topologies></system></cube>\n"
         "=== 0.index\n" +
         index + "\3" + "\n=== 0.data\nCUBEX.DATA" + numbers({10., 20., 4., 8.}) + "\n=== 1.index\n" + index + "\1" +
         numbers<std::uint32_t>({2, 0, 1}) + "\n=== 1.data\nZCUBEX.DATA" +
         numbers<std::uint64_t>({2, 16, 0, row.size(), 0, row.size(), row.size()}) + row + row;
}

}  // namespace

std::vector<std::string> notation_seeds() {
  std::vector<std::string> seeds;
  for (const std::filesystem::path& path : support::case_paths()) seeds.push_back(support::read_case(path).trace);
  seeds.push_back(to_notation(test::full_result().definitions));
  return seeds;
}

std::vector<std::string> json_seeds() {
  std::vector<std::string> seeds;
  for (AnalysisResult& result : results()) {
    for (MetricIndex m = 0; m < result.metrics.size(); ++m)
      result.metrics.set_texts(m, {});  // one text is as good as all
    std::ostringstream out;
    report::write_json(result, out);
    seeds.push_back(out.str());
  }
  return seeds;
}

std::vector<std::string> cubex_seeds() {
  std::vector<std::string> seeds;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("waitstate_seed_{}.cubex", ::getpid());
  for (const AnalysisResult& result : results()) {
    report::write_cube(result, file);
    std::ifstream in(file, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  std::filesystem::remove(file);
  seeds.push_back(packed(foreign_members()));
  return seeds;
}

std::vector<std::string> cubex_member_seeds() {
  std::vector<std::string> seeds{foreign_members()};
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("waitstate_seed_{}.members", ::getpid());
  for (const AnalysisResult& result : results()) {
    report::write_cube(result, file);
    std::string& members = seeds.emplace_back();
    report::for_each_member(file, [&](report::CubeMember& m) {
      const std::string name = m.name();
      members += fmt::format("{}=== {}\n{}", members.empty() ? "" : "\n", name, m.read());
    });
  }
  std::filesystem::remove(file);
  return seeds;
}

}  // namespace waitstate::fuzz
