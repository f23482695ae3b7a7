// Reading what the OTF2 library writes: every definition and every event of OTF2 3.0, with numbers that are all
// different, recorded numbers that are not ours, mapping tables, clock offsets, attribute lists and markers.
// Over 500 lines because it writes one of each of the 38 definitions and 79 events, with the values expected beside
// them.
#include <gtest/gtest.h>

extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <otf2/OTF2_MarkerWriter.h>
#include <otf2/otf2.h>
#pragma GCC diagnostic pop
}
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "otf2/trace_copy.hpp"
#include "support/newer_records.hpp"

namespace waitstate::otf2::test {
namespace {

constexpr std::uint32_t none = 0xffffffff;
constexpr std::uint64_t big_location = 5'000'000'000;

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_TimeStamp flushed(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }

// An archive that is being written, and what should be read of the events of its second location.
class Written : public TemporaryFolder {
 public:
  Written() {
    archive_ = OTF2_Archive_Open(path().c_str(), "t", OTF2_FILEMODE_WRITE, 1024 * 1024, 1024 * 1024,
                                 OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    static const OTF2_FlushCallbacks callbacks{flush, flushed};
    OTF2_Archive_SetFlushCallbacks(archive_, &callbacks, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive_);
    OTF2_Archive_SetCreator(archive_, "the library test");
    OTF2_Archive_SetMachineName(archive_, "a machine");
    OTF2_Archive_SetDescription(archive_, "a description");
    OTF2_Archive_SetProperty(archive_, "test::key", "value", true);
    OTF2_Archive_OpenEvtFiles(archive_);
    OTF2_Archive_OpenDefFiles(archive_);
  }
  OTF2_Archive* archive() { return archive_; }
  fs::path close() {
    OTF2_Archive_CloseEvtFiles(archive_);
    OTF2_Archive_CloseDefFiles(archive_);
    OTF2_Archive_Close(archive_);
    return path() / "t.otf2";
  }

 private:
  OTF2_Archive* archive_;
};

OTF2_AttributeValue string_value(std::uint32_t ref) {
  OTF2_AttributeValue v{};
  v.stringRef = ref;
  return v;
}
OTF2_AttributeValue i32_value(std::int32_t value) {
  OTF2_AttributeValue v{};
  v.int32 = value;
  return v;
}

// String n has the text "s<n>". Processes are defined in the reverse order of their ranks; recorded numbers start
// at 40.
void write_definitions(OTF2_GlobalDefWriter* w) {
  OTF2_GlobalDefWriter_WriteClockProperties(w, 1'000'000, 17, 5000, 1'700'000'000'000'000'000);
  for (std::uint32_t i = 0; i < 40; ++i) OTF2_GlobalDefWriter_WriteString(w, i, ("s" + std::to_string(i)).c_str());
  OTF2_GlobalDefWriter_WriteParadigm(w, OTF2_PARADIGM_MPI, 1, OTF2_PARADIGM_CLASS_PROCESS);
  OTF2_GlobalDefWriter_WriteParadigmProperty(w, OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_RMA_WIN_NAME_TEMPLATE,
                                             OTF2_TYPE_STRING, string_value(2));
  const OTF2_IoParadigmProperty version[] = {OTF2_IO_PARADIGM_PROPERTY_VERSION};
  const OTF2_Type types[] = {OTF2_TYPE_STRING};
  const OTF2_AttributeValue values[] = {string_value(5)};
  OTF2_GlobalDefWriter_WriteIoParadigm(w, 7, 3, 4, OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_OS, 1,
                                       version, types, values);
  OTF2_GlobalDefWriter_WriteAttribute(w, 40, 6, 7, OTF2_TYPE_INT32);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 40, 8, 9, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 41, 10, 11, 40);
  OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(w, 41, 12, OTF2_TYPE_INT32, i32_value(-3));
  OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(w, 40, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
  OTF2_GlobalDefWriter_WriteLocationGroup(w, 40, 13, OTF2_LOCATION_GROUP_TYPE_PROCESS, 41,
                                          OTF2_UNDEFINED_LOCATION_GROUP);
  OTF2_GlobalDefWriter_WriteLocationGroup(w, 41, 14, OTF2_LOCATION_GROUP_TYPE_PROCESS, 41,
                                          OTF2_UNDEFINED_LOCATION_GROUP);
  OTF2_GlobalDefWriter_WriteLocationGroup(w, 42, 15, OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 41, 41);
  OTF2_GlobalDefWriter_WriteLocationGroupProperty(w, 42, 16, OTF2_TYPE_STRING, string_value(17));
  OTF2_GlobalDefWriter_WriteLocation(w, 44, 18, OTF2_LOCATION_TYPE_METRIC, 0, 41);
  OTF2_GlobalDefWriter_WriteLocation(w, big_location, 19, OTF2_LOCATION_TYPE_CPU_THREAD, 79, 40);
  OTF2_GlobalDefWriter_WriteLocation(w, 43, 20, OTF2_LOCATION_TYPE_CPU_THREAD, 0, 41);
  OTF2_GlobalDefWriter_WriteLocationProperty(w, 43, 21, OTF2_TYPE_STRING, string_value(22));
  OTF2_GlobalDefWriter_WriteRegion(w, 40, 23, 24, 25, OTF2_REGION_ROLE_LOOP, OTF2_PARADIGM_USER, OTF2_REGION_FLAG_PHASE,
                                   26, 27, 28);
  OTF2_GlobalDefWriter_WriteRegion(w, 41, 27, 27, 25, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                   OTF2_REGION_FLAG_NONE, 26, 0, 0);
  OTF2_GlobalDefWriter_WriteCallsite(w, 40, 26, 33, 40, 41);
  OTF2_GlobalDefWriter_WriteCallpath(w, 40, OTF2_UNDEFINED_CALLPATH, 41);
  OTF2_GlobalDefWriter_WriteCallpath(w, 41, 40, 40);
  const std::uint64_t world[] = {43, big_location}, ranks[] = {0, 1}, first[] = {0}, second[] = {1}, regions[] = {41};
  OTF2_GlobalDefWriter_WriteGroup(w, 40, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2,
                                  world);
  OTF2_GlobalDefWriter_WriteGroup(w, 41, 29, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2,
                                  ranks);
  OTF2_GlobalDefWriter_WriteGroup(w, 42, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1,
                                  first);
  OTF2_GlobalDefWriter_WriteGroup(w, 43, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1,
                                  second);
  OTF2_GlobalDefWriter_WriteGroup(w, 44, 0, OTF2_GROUP_TYPE_REGIONS, OTF2_PARADIGM_NONE, OTF2_GROUP_FLAG_NONE, 1,
                                  regions);
  OTF2_GlobalDefWriter_WriteMetricMember(w, 40, 30, 31, OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START,
                                         OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, -9, 32);
  const OTF2_MetricMemberRef members[] = {40};
  OTF2_GlobalDefWriter_WriteMetricClass(w, 40, 1, members, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
  OTF2_GlobalDefWriter_WriteMetricInstance(w, 41, 40, 44, OTF2_SCOPE_LOCATION, 43);
  OTF2_GlobalDefWriter_WriteMetricClassRecorder(w, 40, 44);
  OTF2_GlobalDefWriter_WriteComm(w, 40, 33, 41, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
  OTF2_GlobalDefWriter_WriteInterComm(w, 41, 34, 42, 43, 40, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteParameter(w, 40, 35, OTF2_PARAMETER_TYPE_INT64);
  OTF2_GlobalDefWriter_WriteCallpathParameter(w, 41, 40, OTF2_TYPE_INT32, i32_value(-7));
  OTF2_GlobalDefWriter_WriteRmaWin(w, 40, 36, 40, OTF2_RMA_WIN_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteCartDimension(w, 40, 37, 2, OTF2_CART_PERIODIC_TRUE);
  const OTF2_CartDimensionRef dimensions[] = {40};
  OTF2_GlobalDefWriter_WriteCartTopology(w, 40, 38, 40, 1, dimensions);
  for (const std::uint32_t rank : {0u, 1u}) OTF2_GlobalDefWriter_WriteCartCoordinate(w, 40, rank, 1, &rank);
  OTF2_GlobalDefWriter_WriteSourceCodeLocation(w, 40, 26, 99);
  OTF2_GlobalDefWriter_WriteCallingContext(w, 40, 41, 40, OTF2_UNDEFINED_CALLING_CONTEXT);
  OTF2_GlobalDefWriter_WriteCallingContextProperty(w, 40, 39, OTF2_TYPE_STRING, string_value(1));
  OTF2_GlobalDefWriter_WriteInterruptGenerator(w, 40, 1, OTF2_INTERRUPT_GENERATOR_MODE_COUNT, OTF2_BASE_BINARY, 3,
                                               1000);
  OTF2_GlobalDefWriter_WriteIoRegularFile(w, 40, 2, 41);
  OTF2_GlobalDefWriter_WriteIoDirectory(w, 41, 3, 40);
  OTF2_GlobalDefWriter_WriteIoFileProperty(w, 40, 4, OTF2_TYPE_STRING, string_value(5));
  OTF2_GlobalDefWriter_WriteIoHandle(w, 40, 6, 40, 7, OTF2_IO_HANDLE_FLAG_PRE_CREATED, 40, OTF2_UNDEFINED_IO_HANDLE);
  OTF2_GlobalDefWriter_WriteIoHandle(w, 41, 7, 40, 7, OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM, 40);
  OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(w, 40, OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_STATUS_FLAG_APPEND);
}

TEST(library, every_definition) {
  Written out;
  write_definitions(OTF2_Archive_GetGlobalDefWriter(out.archive()));
  OTF2_MarkerWriter* markers = OTF2_Archive_GetMarkerWriter(out.archive());
  OTF2_MarkerWriter_WriteDefMarker(markers, 3, "group", "category", OTF2_SEVERITY_HIGH);
  OTF2_MarkerWriter_WriteMarker(markers, 1000, 20, 3, OTF2_MARKER_SCOPE_LOCATION, 43, "look here");
  OTF2_Archive_CloseMarkerWriter(out.archive(), markers);
  const Archive archive(out.close());
  const Definitions& d = archive.definitions();
  EXPECT_FALSE(archive.diagnostics().any(DiagnosticSeverity::loss));
  EXPECT_FALSE(archive.diagnostics().any(DiagnosticSeverity::odd));

  EXPECT_EQ(d.recorder.creator, "the library test");
  EXPECT_EQ(d.recorder.machine, "a machine");
  EXPECT_EQ(d.recorder.description, "a description");
  EXPECT_EQ(d.recorder.properties, (std::vector<std::pair<std::string, std::string>>{{"TEST::KEY", "value"}}));
  EXPECT_EQ(d.clock.resolution, 1'000'000u);
  EXPECT_EQ(d.clock.offset, 17u);
  EXPECT_EQ(d.clock.length, 5000);
  EXPECT_EQ(d.clock.realtime, 1'700'000'000'000'000'000u);

  const auto text = [&](const char* s) {
    return Value{ValueType::string, const_cast<Definitions&>(d).intern(s).value};
  };
  const auto i32 = [](std::int64_t v) { return Value{ValueType::int32, static_cast<std::uint64_t>(v)}; };
  using Properties = std::vector<Property>;
  EXPECT_EQ(d.paradigms.at(0).name, "s1");
  EXPECT_EQ(d.paradigms[0].properties, (Properties{{"rma_win_name_template", text("s2")}}));
  EXPECT_EQ(d.io_paradigms.at(0).identification, "s3");
  EXPECT_EQ(d.io_paradigms[0].name, "s4");
  EXPECT_EQ(d.io_paradigms[0].io_class, IoParadigmClass::parallel);
  EXPECT_EQ(d.io_paradigms[0].flags, 1u);
  EXPECT_EQ(d.io_paradigms[0].properties, (Properties{{"version", text("s5")}}));
  EXPECT_EQ(d.attributes.at(0).name, "s6");
  EXPECT_EQ(d.attributes[0].description, "s7");
  EXPECT_EQ(d.attributes[0].type, ValueType::int32);
  EXPECT_EQ(d.system_tree.at(0).class_name, "s9");
  EXPECT_FALSE(d.system_tree[0].parent.valid());
  EXPECT_EQ(d.system_tree[0].domains, std::vector{SystemTreeDomain::machine});
  EXPECT_EQ(d.system_tree.at(1).parent, SystemNodeId{0u});
  EXPECT_EQ(d.system_tree[1].properties, (Properties{{"s12", i32(-3)}}));

  ASSERT_EQ(d.processes.size(), 3u);  // rank 0 was defined second
  EXPECT_EQ(d.processes[0].name, "s14");
  EXPECT_EQ(d.processes[0].rank, 0);
  EXPECT_EQ(d.processes[0].parent, SystemNodeId{1u});
  EXPECT_EQ(d.processes[0].locations, (std::vector{LocationId{0u}, LocationId{1u}}));
  EXPECT_EQ(d.processes[1].name, "s13");
  EXPECT_EQ(d.processes[1].rank, 1);
  EXPECT_EQ(d.processes[2].type, LocationGroupType::accelerator);
  EXPECT_EQ(d.processes[2].creator, ProcessId{0u});
  EXPECT_EQ(d.processes[2].properties, (Properties{{"s16", text("s17")}}));
  ASSERT_EQ(d.locations.size(), 3u);  // the thread of rank 0, then the metric location, although that is defined first
  EXPECT_EQ(d.locations[0].ref, 43u);
  EXPECT_EQ(d.locations[0].properties, (Properties{{"s21", text("s22")}}));
  EXPECT_EQ(d.locations[1].type, LocationType::metric);
  EXPECT_EQ(d.locations[2].ref, big_location);
  EXPECT_EQ(d.locations[2].announced_events, 79u);
  EXPECT_EQ(d.cpu_threads(ProcessId{0u}), 1u);

  const Region& r = d.regions.at(0);
  EXPECT_EQ(r.name + r.canonical_name + r.description + r.file, "s23s24s25s26");
  EXPECT_EQ(r.role, RegionRole::loop);
  EXPECT_EQ(r.paradigm, Paradigm::user);
  EXPECT_EQ(r.flags, 2u);
  EXPECT_EQ(r.begin_line, 27u);
  EXPECT_EQ(r.end_line, 28u);
  EXPECT_EQ(d.call_sites.at(0).line, 33u);
  EXPECT_EQ(d.call_sites[0].entered, RegionId{0u});
  EXPECT_EQ(d.call_sites[0].left, RegionId{1u});
  EXPECT_EQ(d.recorded_call_paths.at(1).parent, RecordedCallPathId{0u});
  EXPECT_EQ(d.recorded_call_paths[1].region, RegionId{0u});
  EXPECT_EQ(d.recorded_call_paths[1].parameters, (Properties{{"s35", i32(-7)}}));
  EXPECT_EQ(d.source_code_locations.at(0).line, 99u);
  EXPECT_EQ(d.calling_contexts.at(0).region, RegionId{1u});
  EXPECT_EQ(d.calling_contexts[0].source, SourceCodeLocationId{0u});
  EXPECT_EQ(d.calling_contexts[0].properties, (Properties{{"s39", text("s1")}}));
  EXPECT_EQ(d.interrupt_generators.at(0).mode, InterruptGeneratorMode::count);
  EXPECT_EQ(d.interrupt_generators[0].exponent, 3);
  EXPECT_EQ(d.interrupt_generators[0].period, 1000u);

  EXPECT_EQ(d.groups.at(0).members, (std::vector<std::uint64_t>{0, 2})) << "locations";
  EXPECT_EQ(d.groups.at(1).members, (std::vector<std::uint64_t>{0, 1})) << "ranks";
  EXPECT_EQ(d.groups.at(4).members, (std::vector<std::uint64_t>{1})) << "regions";
  EXPECT_EQ(d.comms.at(0).members, (std::vector{LocationId{0u}, LocationId{2u}}));
  EXPECT_EQ(d.comms[0].flags, 1u);
  EXPECT_TRUE(d.comms.at(1).inter());
  EXPECT_EQ(d.comms[1].parent, CommId{0u});
  EXPECT_EQ(d.locate(CommId{1u}, 0, LocationId{0u}), LocationId{2u});
  EXPECT_EQ(d.locate(CommId{1u}, 0, LocationId{2u}), LocationId{0u});
  EXPECT_EQ(d.rma_wins.at(0).comm, CommId{0u});
  EXPECT_EQ(d.rma_wins[0].flags, 0u);
  EXPECT_EQ(d.metric_members.at(0).name + d.metric_members[0].description + d.metric_members[0].unit, "s30s31s32");
  EXPECT_EQ(d.metric_members[0].type, MetricType::papi);
  EXPECT_EQ(d.metric_members[0].base, Base::decimal);
  EXPECT_EQ(d.metric_members[0].exponent, -9);
  EXPECT_EQ(d.metrics.at(0).members, std::vector{MetricMemberId{0u}});
  EXPECT_EQ(d.metrics[0].occurrence, MetricOccurrence::asynchronous);
  EXPECT_EQ(d.metrics[0].recorder_kind, RecorderKind::cpu);
  EXPECT_EQ(d.metrics[0].recorders, std::vector{LocationId{1u}});
  EXPECT_EQ(d.metrics.at(1).metric_class, MetricId{0u});
  EXPECT_EQ(d.metrics[1].recorder, LocationId{1u});
  EXPECT_EQ(d.metrics[1].scope_ref, 43u);
  EXPECT_EQ(d.parameters.at(0).type, ParameterType::int64);
  EXPECT_EQ(d.cart_dimensions.at(0).periodicity, CartPeriodicity::true_);
  EXPECT_EQ(d.cart_topologies.at(0).dimensions, std::vector{CartDimensionId{0u}});
  EXPECT_EQ(d.cart_topologies[0].coordinates, (std::vector<std::uint64_t>{0, 0, 1, 1}));
  EXPECT_EQ(d.io_files.at(0).properties, (Properties{{"s4", text("s5")}}));
  EXPECT_TRUE(d.io_files.at(1).directory);
  EXPECT_EQ(d.io_handles.at(0).paradigm, IoParadigmId{0u});
  EXPECT_TRUE(d.io_handles[0].pre_created);
  EXPECT_EQ(d.io_handles[0].access_mode, IoAccessMode::read_write);
  EXPECT_EQ(d.io_handles.at(1).parent, IoHandleId{0u});
  EXPECT_FALSE(d.io_handles[1].pre_created);
  EXPECT_EQ(d.markers.at(0).category, "category");
  EXPECT_EQ(d.markers[0].severity, MarkerSeverity::high);
  EXPECT_EQ(d.marker_occurrences.at(0).marker, MarkerId{0u});
  EXPECT_EQ(d.marker_occurrences[0].time, 1000u);
  EXPECT_EQ(d.marker_occurrences[0].scope, MarkerScope::location);
  EXPECT_EQ(d.marker_occurrences[0].text, "look here");
}

// Events of the location of rank 1 (id 2; rank 0 is id 0). Definition number 40 is id 0, 41 id 1.
TEST(library, every_event) {
  Written out;
  OTF2_EvtWriter* w = OTF2_Archive_GetEvtWriter(out.archive(), big_location);
  std::vector<Sink::Record> expected;
  std::uint64_t t = 100;
  std::vector<ListedAttribute> list;
  OTF2_AttributeList* attributes = OTF2_AttributeList_New();
  const auto expect = [&](EventType type, std::vector<std::uint64_t> a, std::vector<Value> tail = {}) {
    expected.push_back({type, t, std::move(a), std::move(tail), std::exchange(list, {})});
    t += 3;
  };
#define WRITE(name, ...) ASSERT_EQ(OTF2_EvtWriter_##name(w, attributes, t __VA_OPT__(, ) __VA_ARGS__), OTF2_SUCCESS)
  using E = EventType;
  constexpr std::uint64_t huge = 0x123456789abcdef0;
  const OTF2_StringRef arguments[] = {3, 4};
  WRITE(ProgramBegin, 2, 2, arguments);
  expect(E::program_begin, {2}, {{ValueType::string, 3}, {ValueType::string, 4}});

  OTF2_AttributeList_AddInt32(attributes, 40, -5);
  OTF2_AttributeList_AddRegionRef(attributes, 77, 41);
  OTF2_AttributeList_AddLocationRef(attributes, 40 + 1, big_location);
  OTF2_AttributeList_AddDouble(attributes, 42, 0.5);
  OTF2_AttributeList_AddFloat(attributes, 43, 0.25f);
  OTF2_AttributeList_AddInt8(attributes, 44, -1);
  OTF2_AttributeList_AddUint16(attributes, 45, 0x1234);
  WRITE(Enter, 41);
  const AttributeId undefined;
  list = {{AttributeId{0u}, {ValueType::int32, static_cast<std::uint64_t>(-5)}},
          {undefined, {ValueType::region, 1}},
          {undefined, {ValueType::location, 2}},
          {undefined, {ValueType::double_, std::bit_cast<std::uint64_t>(0.5)}},
          {undefined, {ValueType::float_, std::bit_cast<std::uint64_t>(0.25)}},
          {undefined, {ValueType::int8, ~std::uint64_t{0}}},
          {undefined, {ValueType::uint16, 0x1234}}};
  expect(E::enter, {1});
  WRITE(MeasurementOnOff, OTF2_MEASUREMENT_OFF);
  expect(E::measurement_on_off, {2});
  WRITE(BufferFlush, t + 2);
  expect(E::buffer_flush, {t + 2});
  WRITE(MpiSend, 0, 40, 70000, huge);
  expect(E::send, {0, 70000, 0, huge});
  WRITE(MpiIsend, 0, 41, 8, 9, 10);
  expect(E::isend, {0, 8, 1, 9, 10});
  WRITE(MpiIsendComplete, huge);
  expect(E::isend_complete, {huge});
  WRITE(MpiIrecvRequest, OTF2_UNDEFINED_UINT64);
  expect(E::irecv_request, {OTF2_UNDEFINED_UINT64});
  WRITE(MpiRecv, 1, 40, 8, 9);
  expect(E::recv, {2, 8, 0, 9});
  WRITE(MpiIrecv, 5, 40, 8, 9, 10);
  expect(E::irecv, {none, 8, 0, 9, 10});
  WRITE(MpiRequestTest, 11);
  expect(E::request_test, {11});
  WRITE(MpiRequestCancelled, 12);
  expect(E::request_cancelled, {12});
  WRITE(MpiCollectiveBegin);
  expect(E::collective_begin, {});
  WRITE(MpiCollectiveEnd, OTF2_COLLECTIVE_OP_BCAST, 40, 1, 5, 6);
  expect(E::collective_end, {1, 0, 2, 5, 6});
  WRITE(MpiCollectiveEnd, OTF2_COLLECTIVE_OP_BARRIER, 40, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
  expect(E::collective_end, {0, 0, root_none, 0, 0});
  WRITE(NonBlockingCollectiveRequest, 300);
  expect(E::nonblocking_collective_request, {300});
  WRITE(NonBlockingCollectiveComplete, OTF2_COLLECTIVE_OP_REDUCE, 41, OTF2_COLLECTIVE_ROOT_SELF, 5, 6, 300);
  expect(E::nonblocking_collective_complete, {12, 1, 2, 5, 6, 300});
  WRITE(MpiCollectiveEnd, OTF2_COLLECTIVE_OP_REDUCE, 41, OTF2_COLLECTIVE_ROOT_THIS_GROUP, 5, 6);
  expect(E::collective_end, {12, 1, root_this_group, 5, 6});
  WRITE(CommCreate, 40);
  expect(E::comm_create, {0});
  WRITE(CommDestroy, 40);
  expect(E::comm_destroy, {0});

  WRITE(OmpFork, 4);
  expect(E::omp_fork, {4});
  WRITE(OmpJoin);
  expect(E::omp_join, {});
  WRITE(OmpAcquireLock, 5, 6);
  expect(E::omp_acquire_lock, {5, 6});
  WRITE(OmpReleaseLock, 5, 7);
  expect(E::omp_release_lock, {5, 7});
  WRITE(OmpTaskCreate, huge);
  expect(E::omp_task_create, {huge});
  WRITE(OmpTaskSwitch, 1);
  expect(E::omp_task_switch, {1});
  WRITE(OmpTaskComplete, 2);
  expect(E::omp_task_complete, {2});
  const OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE};
  OTF2_MetricValue values[3];
  values[0].unsigned_int = huge, values[1].signed_int = -2, values[2].floating_point = 1.5;
  WRITE(Metric, 41, 3, types, values);
  expect(E::metric, {1},
         {{ValueType::uint64, huge},
          {ValueType::int64, static_cast<std::uint64_t>(-2)},
          {ValueType::double_, std::bit_cast<std::uint64_t>(1.5)}});
  WRITE(ParameterString, 40, 9);
  expect(E::parameter_string, {0, 9});
  WRITE(ParameterInt, 40, -9);
  expect(E::parameter_int, {0, static_cast<std::uint64_t>(-9)});
  WRITE(ParameterUnsignedInt, 40, 9);
  expect(E::parameter_uint, {0, 9});
  WRITE(CallingContextEnter, 40, 2);
  expect(E::calling_context_enter, {0, 2});
  WRITE(CallingContextLeave, 40);
  expect(E::calling_context_exit, {0});
  WRITE(CallingContextSample, 40, 3, 40);
  expect(E::calling_context_sample, {0, 3, 0});
  WRITE(ThreadFork, OTF2_PARADIGM_OPENMP, 4);
  expect(E::thread_fork, {3, 4});
  WRITE(ThreadJoin, OTF2_PARADIGM_OPENMP);
  expect(E::thread_join, {3});
  WRITE(ThreadTeamBegin, 40);
  expect(E::thread_team_begin, {0});
  WRITE(ThreadTeamEnd, 40);
  expect(E::thread_team_end, {0});
  WRITE(ThreadAcquireLock, OTF2_PARADIGM_PTHREAD, 5, 6);
  expect(E::thread_acquire_lock, {7, 5, 6});
  WRITE(ThreadReleaseLock, OTF2_PARADIGM_PTHREAD, 5, 7);
  expect(E::thread_release_lock, {7, 5, 7});
  WRITE(ThreadTaskCreate, 40, 2, 3);
  expect(E::thread_task_create, {0, 2, 3});
  WRITE(ThreadTaskSwitch, 40, 2, 4);
  expect(E::thread_task_switch, {0, 2, 4});
  WRITE(ThreadTaskComplete, 40, 2, 5);
  expect(E::thread_task_complete, {0, 2, 5});
  WRITE(ThreadCreate, 40, huge);
  expect(E::thread_create, {0, huge});
  WRITE(ThreadBegin, OTF2_UNDEFINED_COMM, 1);
  expect(E::thread_begin, {none, 1});
  WRITE(ThreadWait, 40, 2);
  expect(E::thread_wait, {0, 2});
  WRITE(ThreadEnd, 40, 3);
  expect(E::thread_end, {0, 3});

  WRITE(RmaWinCreate, 40);
  expect(E::rma_win_create, {0});
  WRITE(RmaWinDestroy, 40);
  expect(E::rma_win_destroy, {0});
  WRITE(RmaCollectiveBegin);
  expect(E::rma_collective_begin, {});
  WRITE(RmaCollectiveEnd, OTF2_COLLECTIVE_OP_BARRIER, OTF2_RMA_SYNC_LEVEL_PROCESS, 40, 0, 7, 8);
  expect(E::rma_collective_end, {0, OTF2_RMA_SYNC_LEVEL_PROCESS, 0, 0, 7, 8});
  WRITE(RmaGroupSync, OTF2_RMA_SYNC_LEVEL_MEMORY, 40, 43);
  expect(E::rma_group_sync, {OTF2_RMA_SYNC_LEVEL_MEMORY, 0, 3});
  WRITE(RmaRequestLock, 40, 1, 2, OTF2_LOCK_SHARED);
  expect(E::rma_request_lock, {0, 2, 2, 1});
  WRITE(RmaAcquireLock, 40, 0, 2, OTF2_LOCK_EXCLUSIVE);
  expect(E::rma_acquire_lock, {0, 0, 2, 0});
  WRITE(RmaTryLock, 40, OTF2_UNDEFINED_UINT32, 2, OTF2_LOCK_SHARED);
  expect(E::rma_try_lock, {0, none, 2, 1});
  WRITE(RmaReleaseLock, 40, 1, 2);
  expect(E::rma_release_lock, {0, 2, 2});
  WRITE(RmaSync, 40, 1, OTF2_RMA_SYNC_TYPE_NOTIFY_OUT);
  expect(E::rma_sync, {0, 2, 2});
  WRITE(RmaWaitChange, 40);
  expect(E::rma_wait_change, {0});
  WRITE(RmaPut, 40, 0, 9, 10);
  expect(E::rma_put, {0, 0, 9, 10});
  WRITE(RmaGet, 40, 1, 9, 10);
  expect(E::rma_get, {0, 2, 9, 10});
  WRITE(RmaAtomic, 40, 1, OTF2_RMA_ATOMIC_TYPE_SWAP, 8, 9, 10);
  expect(E::rma_atomic, {0, 2, 4, 8, 9, 10});
  WRITE(RmaOpCompleteBlocking, 40, 1);
  expect(E::rma_op_complete_blocking, {0, 1});
  WRITE(RmaOpCompleteNonBlocking, 40, 2);
  expect(E::rma_op_complete_nonblocking, {0, 2});
  WRITE(RmaOpTest, 40, 3);
  expect(E::rma_op_test, {0, 3});
  WRITE(RmaOpCompleteRemote, 40, 4);
  expect(E::rma_op_complete_remote, {0, 4});

  WRITE(IoCreateHandle, 41, OTF2_IO_ACCESS_MODE_WRITE_ONLY, OTF2_IO_CREATION_FLAG_CREATE, OTF2_IO_STATUS_FLAG_APPEND);
  expect(E::io_create_handle, {1, 1, OTF2_IO_CREATION_FLAG_CREATE, OTF2_IO_STATUS_FLAG_APPEND});
  WRITE(IoDestroyHandle, 41);
  expect(E::io_destroy_handle, {1});
  WRITE(IoDuplicateHandle, 40, 41, OTF2_IO_STATUS_FLAG_NONE);
  expect(E::io_duplicate_handle, {0, 1, 0});
  WRITE(IoSeek, 41, -100, OTF2_IO_SEEK_FROM_END, 50);
  expect(E::io_seek, {1, static_cast<std::uint64_t>(-100), 2, 50});
  WRITE(IoChangeStatusFlags, 41, OTF2_IO_STATUS_FLAG_SYNC);
  expect(E::io_change_status_flags, {1, OTF2_IO_STATUS_FLAG_SYNC});
  WRITE(IoDeleteFile, 7, 40);
  expect(E::io_delete_file, {0, 0});
  WRITE(IoOperationBegin, 41, OTF2_IO_OPERATION_MODE_WRITE, OTF2_IO_OPERATION_FLAG_COLLECTIVE, 4096, 5);
  expect(E::io_operation_begin, {1, 1, OTF2_IO_OPERATION_FLAG_COLLECTIVE, 4096, 5});
  WRITE(IoOperationTest, 41, 5);
  expect(E::io_operation_test, {1, 5});
  WRITE(IoOperationIssued, 41, 5);
  expect(E::io_operation_issued, {1, 5});
  WRITE(IoOperationComplete, 41, 4000, 5);
  expect(E::io_operation_complete, {1, 4000, 5});
  WRITE(IoOperationCancelled, 41, 6);
  expect(E::io_operation_cancelled, {1, 6});
  WRITE(IoAcquireLock, 41, OTF2_LOCK_SHARED);
  expect(E::io_acquire_lock, {1, 1});
  WRITE(IoReleaseLock, 41, OTF2_LOCK_SHARED);
  expect(E::io_release_lock, {1, 1});
  WRITE(IoTryLock, 41, OTF2_LOCK_EXCLUSIVE);
  expect(E::io_try_lock, {1, 0});
  WRITE(Leave, 41);
  expect(E::exit, {1});
  WRITE(Leave, 4711);
  expect(E::exit, {none});
  WRITE(ProgramEnd, -1);
  expect(E::program_end, {static_cast<std::uint64_t>(-1)});
#undef WRITE
  OTF2_AttributeList_Delete(attributes);
  OTF2_Archive_CloseEvtWriter(out.archive(), w);
  OTF2_Archive_CloseDefWriter(out.archive(), OTF2_Archive_GetDefWriter(out.archive(), big_location));
  write_definitions(OTF2_Archive_GetGlobalDefWriter(out.archive()));
  const Archive archive(out.close());
  const Everything all(archive);

  const auto& read = all.sinks[2].records;
  ASSERT_EQ(read.size(), expected.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(name(read[i].type), name(expected[i].type)) << i;
    EXPECT_EQ(read[i].attributes, expected[i].attributes) << i << " " << name(expected[i].type);
    EXPECT_TRUE(read[i] == expected[i]) << i << " " << name(expected[i].type);
  }
  std::vector<bool> seen(event_type_count);
  for (const Sink::Record& r : read) seen[static_cast<std::size_t>(r.type)] = true;
  for (std::size_t i = 1; i < recorded_event_type_count; ++i)
    EXPECT_TRUE(seen[i] || support::is_of_otf2_3_2(static_cast<EventType>(i)))
        << event_types[i].name << " is not written";
  // Six attributes that are not defined, and one region.
  EXPECT_EQ(all.diagnostics[DiagnosticId::undefined_reference].count, 7u);
  EXPECT_EQ(texts(all.diagnostics, DiagnosticId::undefined_reference),
            std::vector<std::string>{"attribute 77, in an event at 100"});
}

TEST(library, cycles_undefined_references_and_duplicates) {
  Written out;
  OTF2_GlobalDefWriter* w = OTF2_Archive_GetGlobalDefWriter(out.archive());
  OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, 7, 7, 1);  // there is no string 7
  OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 1, OTF2_UNDEFINED_STRING, OTF2_UNDEFINED_STRING, 0);
  OTF2_GlobalDefWriter_WriteComm(w, 4'000'000'000, OTF2_UNDEFINED_STRING, OTF2_UNDEFINED_GROUP, 4'000'000'000, 0);
  OTF2_GlobalDefWriter_WriteLocation(w, 3, OTF2_UNDEFINED_STRING, OTF2_LOCATION_TYPE_CPU_THREAD, 0, 12);
  OTF2_GlobalDefWriter_WriteLocation(w, 3, OTF2_UNDEFINED_STRING, OTF2_LOCATION_TYPE_METRIC, 0, 12);
  OTF2_GlobalDefWriter_WriteClockProperties(w, 1, 0, 0, 0);
  OTF2_GlobalDefWriter_WriteClockProperties(w, 2, 0, 0, 0);
  const Archive archive(out.close());
  const Definitions& d = archive.definitions();
  EXPECT_EQ(d.system_tree.at(0).parent, SystemNodeId{1u});
  EXPECT_FALSE(d.system_tree.at(1).parent.valid());
  EXPECT_FALSE(d.comms.at(0).parent.valid());
  EXPECT_EQ(d.locations.at(0).type, LocationType::cpu_thread);
  EXPECT_EQ(d.locations.size(), 1u);
  EXPECT_EQ(d.clock.resolution, 1u);
  EXPECT_EQ(archive.diagnostics()[DiagnosticId::definitions_damaged].count, 2u);
  EXPECT_EQ(texts(archive.diagnostics(), DiagnosticId::definitions_damaged),
            (std::vector<std::string>{"a communicator is its own ancestor", "a system tree node is its own ancestor"}));
  EXPECT_EQ(archive.diagnostics()[DiagnosticId::undefined_reference].count, 3u) << "the string twice, the process";
  EXPECT_EQ(archive.diagnostics()[DiagnosticId::duplicate_definition].count, 2u) << "the location, the clock";
  const Everything all(archive);
  EXPECT_EQ(all.diagnostics[DiagnosticId::empty_location].count, 1u);
  EXPECT_FALSE(all.diagnostics.any(DiagnosticSeverity::loss));
}

TEST(library, mapping_tables_and_clock_offsets) {
  for (const bool dense : {true, false}) {
    Written out;
    OTF2_EvtWriter* w = OTF2_Archive_GetEvtWriter(out.archive(), big_location);
    const std::uint64_t times[] = {50, 100, 150, 200, 300, 400, 500};
    for (const std::uint64_t t : times) OTF2_EvtWriter_Enter(w, nullptr, t, t < 200 ? 0 : 1);
    OTF2_EvtWriter_MpiSend(w, nullptr, 500, 0, 3, 1, 2);
    OTF2_Archive_CloseEvtWriter(out.archive(), w);
    OTF2_DefWriter* local = OTF2_Archive_GetDefWriter(out.archive(), big_location);
    OTF2_IdMap* regions = OTF2_IdMap_Create(dense ? OTF2_ID_MAP_DENSE : OTF2_ID_MAP_SPARSE, 4);
    OTF2_IdMap_AddIdPair(regions, 0, 41);
    OTF2_IdMap_AddIdPair(regions, 1, 40);
    OTF2_DefWriter_WriteMappingTable(local, OTF2_MAPPING_REGION, regions);
    OTF2_IdMap* comms = OTF2_IdMap_Create(OTF2_ID_MAP_SPARSE, 4);
    OTF2_IdMap_AddIdPair(comms, 3, 40);
    OTF2_DefWriter_WriteMappingTable(local, OTF2_MAPPING_COMM, comms);
    OTF2_DefWriter_WriteClockOffset(local, 100, 1000, 0);  // offset 1000 at 100, 1100 at 200, 1050 at 400
    OTF2_DefWriter_WriteClockOffset(local, 200, 1100, 0);
    OTF2_DefWriter_WriteClockOffset(local, 400, 1050, 0);
    OTF2_Archive_CloseDefWriter(out.archive(), local);
    OTF2_IdMap_Free(regions);
    OTF2_IdMap_Free(comms);
    write_definitions(OTF2_Archive_GetGlobalDefWriter(out.archive()));
    const Archive archive(out.close());
    const auto read = Everything(archive).sinks[2].records;
    const std::uint64_t corrected[] = {50 + 950,   100 + 1000, 150 + 1050, 200 + 1100,
                                       300 + 1075, 400 + 1050, 500 + 1025};
    ASSERT_EQ(read.size(), 8u);
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_EQ(read[i].time, corrected[i]) << times[i];
      EXPECT_EQ(read[i].attributes[0], times[i] < 200 ? 1u : 0u);
    }
    EXPECT_EQ(read[7].attributes, (std::vector<std::uint64_t>{0, 1, 0, 2}));
  }
}

// Two nodes, a location group each, with two ranks each; a thread; and a rank without a group.
TEST(library, ranks_that_share_a_location_group) {
  Written out;
  OTF2_GlobalDefWriter* w = OTF2_Archive_GetGlobalDefWriter(out.archive());
  OTF2_GlobalDefWriter_WriteClockProperties(w, 1, 0, 0, 0);
  OTF2_GlobalDefWriter_WriteString(w, 0, "node");
  for (const std::uint32_t node : {5u, 6u})
    OTF2_GlobalDefWriter_WriteLocationGroup(w, node, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                            OTF2_UNDEFINED_SYSTEM_TREE_NODE, OTF2_UNDEFINED_LOCATION_GROUP);
  const std::pair<std::uint64_t, std::uint32_t> locations[] = {{10, 5}, {11, 5}, {12, 5}, {20, 6}, {21, 6}, {30, none}};
  for (const auto& [location, group] : locations)
    OTF2_GlobalDefWriter_WriteLocation(w, location, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 0, group);
  const std::uint64_t world[] = {20, 10, 12, 21, 30, 11}, ranks[] = {0, 1, 2, 3, 4};  // location 11 has no rank
  OTF2_GlobalDefWriter_WriteGroup(w, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, 0, 6, world);
  OTF2_GlobalDefWriter_WriteGroup(w, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 0, 5, ranks);
  OTF2_GlobalDefWriter_WriteComm(w, 0, 0, 1, OTF2_UNDEFINED_COMM, 0);
  const Archive archive(out.close());
  const Definitions& d = archive.definitions();
  ASSERT_EQ(d.processes.size(), 5u);
  const std::vector<std::vector<std::uint64_t>> expected{{20}, {10, 11}, {12}, {21}, {30}};
  for (std::size_t i = 0; i < 5; ++i) {
    std::vector<std::uint64_t> recorded;
    for (const LocationId l : d.processes[i].locations) recorded.push_back(d[l].ref);
    EXPECT_EQ(recorded, expected[i]) << i;
    EXPECT_EQ(d.processes[i].rank, static_cast<std::int64_t>(i));
    EXPECT_EQ(d.processes[i].ref, (std::vector<std::uint32_t>{6, 5, 5, 6, none})[i]);
  }
  EXPECT_EQ(d.locate(CommId{0u}, 2, LocationId{0u}), d.processes[2].locations.at(0));
  EXPECT_EQ(archive.diagnostics()[DiagnosticId::rank_without_process].count, 5u);
  EXPECT_FALSE(archive.diagnostics().any(DiagnosticSeverity::loss));
}

// Each has a list of them: a group of a million in a file of 2 MB would fill any memory.
TEST(library, communicators_with_too_many_members_are_left_out) {
  Written out;
  OTF2_GlobalDefWriter* w = OTF2_Archive_GetGlobalDefWriter(out.archive());
  OTF2_GlobalDefWriter_WriteClockProperties(w, 1, 0, 0, 0);
  OTF2_GlobalDefWriter_WriteLocation(w, 0, OTF2_UNDEFINED_STRING, OTF2_LOCATION_TYPE_CPU_THREAD, 0,
                                     OTF2_UNDEFINED_LOCATION_GROUP);
  const std::vector<std::uint64_t> ranks(100'000);
  OTF2_GlobalDefWriter_WriteGroup(w, 0, OTF2_UNDEFINED_STRING, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 0,
                                  static_cast<std::uint32_t>(ranks.size()), ranks.data());
  for (std::uint32_t i = 0; i < 700; ++i)
    OTF2_GlobalDefWriter_WriteComm(w, i, OTF2_UNDEFINED_STRING, 0, OTF2_UNDEFINED_COMM, 0);
  const fs::path anchor = out.close();
  const Archive archive(anchor);
  const std::vector<Comm>& comms = archive.definitions().comms;
  ASSERT_EQ(comms.size(), 700u);
  EXPECT_EQ(comms[670].members.size(), ranks.size());
  EXPECT_TRUE(comms[671].members.empty());  // 67.1 million are 64 Mi
  const std::vector<std::string> told = texts(archive.diagnostics(), DiagnosticId::definitions_damaged);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_TRUE(told[0].ends_with("communicators with more than 64 million members in all, those of 29 left out"))
      << told[0];
}

}  // namespace
}  // namespace waitstate::otf2::test
