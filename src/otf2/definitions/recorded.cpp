#include "otf2/definitions/recorded.hpp"

#include <concepts>
#include <cstring>
#include <memory>

#include "otf2/library.hpp"

namespace waitstate::otf2 {

// Receives the library's callbacks. An exception must not pass through the library: it is kept, and reading stops.
struct RecordedDefinitions::Callbacks {
  RecordedDefinitions& to;

  void put(std::integral auto number) {
    if constexpr (std::is_signed_v<decltype(number)>)
      to.words_.push_back(static_cast<std::uint64_t>(std::int64_t{number}));
    else
      to.words_.push_back(number);
  }
  // Arrays are kept behind their count, and values behind their type.
  template <std::integral I>
  void put(const I* elements) {
    const std::uint64_t n = to.words_.back();
    for (std::uint64_t i = 0; i < n; ++i) put(elements[i]);
  }
  void put(const char* text) {
    const std::size_t size = std::strlen(text);
    put(to.texts_.size());
    put(size);
    to.texts_.append(text, size);
  }
  void put(OTF2_AttributeValue value) { put(recorded_value(static_cast<OTF2_Type>(to.words_.back()), value).bits); }

  template <class F>
  static OTF2_CallbackCode guarded(void* user, F&& f) noexcept {
    auto& to = *static_cast<RecordedDefinitions*>(user);
    try {
      f(to);
      return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
      to.thrown_ = std::current_exception();
      return OTF2_CALLBACK_INTERRUPT;
    }
  }
  template <DefinitionKind kind, class... Arguments>
  static OTF2_CallbackCode keep(void* user, Arguments... arguments) {
    return guarded(user, [&](RecordedDefinitions& all) {
      all.records_.push_back({kind, all.words_.size()});
      Callbacks record{all};
      (record.put(arguments), ...);
    });
  }
  // This is the only kind with several arrays of one count.
  static OTF2_CallbackCode keep_io_paradigm(void* user, OTF2_IoParadigmRef self, OTF2_StringRef identification,
                                            OTF2_StringRef name, OTF2_IoParadigmClass io_class,
                                            OTF2_IoParadigmFlag flags, std::uint8_t count,
                                            const OTF2_IoParadigmProperty* properties, const OTF2_Type* types,
                                            const OTF2_AttributeValue* values) {
    const OTF2_CallbackCode code =
        keep<DefinitionKind::io_paradigm>(user, self, identification, name, io_class, flags, count);
    if (code != OTF2_CALLBACK_SUCCESS) return code;
    return guarded(user, [&](RecordedDefinitions& all) {
      Callbacks record{all};
      for (unsigned i = 0; i < count; ++i) {
        record.put(properties[i]);
        record.put(types[i]);
        record.put(values[i]);
      }
    });
  }
  static OTF2_CallbackCode count_unknown(void* user) {
    ++static_cast<RecordedDefinitions*>(user)->unknown_;
    return OTF2_CALLBACK_SUCCESS;
  }

  static void set_all(OTF2_GlobalDefReaderCallbacks* c) {
    using K = DefinitionKind;
    OTF2_GlobalDefReaderCallbacks_SetUnknownCallback(c, &count_unknown);
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, &keep<K::clock_properties>);
    OTF2_GlobalDefReaderCallbacks_SetParadigmCallback(c, &keep<K::paradigm>);
    OTF2_GlobalDefReaderCallbacks_SetParadigmPropertyCallback(c, &keep<K::paradigm_property>);
    OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback(c, &keep_io_paradigm);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, &keep<K::string>);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(c, &keep<K::attribute>);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(c, &keep<K::system_tree_node>);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, &keep<K::location_group>);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, &keep<K::location>);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, &keep<K::region>);
    OTF2_GlobalDefReaderCallbacks_SetCallsiteCallback(c, &keep<K::call_site>);
    OTF2_GlobalDefReaderCallbacks_SetCallpathCallback(c, &keep<K::call_path>);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, &keep<K::group>);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(c, &keep<K::metric_member>);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(c, &keep<K::metric_class>);
    OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(c, &keep<K::metric_instance>);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, &keep<K::comm>);
    OTF2_GlobalDefReaderCallbacks_SetParameterCallback(c, &keep<K::parameter>);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(c, &keep<K::rma_win>);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassRecorderCallback(c, &keep<K::metric_class_recorder>);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodePropertyCallback(c, &keep<K::system_tree_node_property>);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeDomainCallback(c, &keep<K::system_tree_node_domain>);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(c, &keep<K::location_group_property>);
    OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(c, &keep<K::location_property>);
    OTF2_GlobalDefReaderCallbacks_SetCartDimensionCallback(c, &keep<K::cart_dimension>);
    OTF2_GlobalDefReaderCallbacks_SetCartTopologyCallback(c, &keep<K::cart_topology>);
    OTF2_GlobalDefReaderCallbacks_SetCartCoordinateCallback(c, &keep<K::cart_coordinate>);
    OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(c, &keep<K::source_code_location>);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(c, &keep<K::calling_context>);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextPropertyCallback(c, &keep<K::calling_context_property>);
    OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(c, &keep<K::interrupt_generator>);
    OTF2_GlobalDefReaderCallbacks_SetIoFilePropertyCallback(c, &keep<K::io_file_property>);
    OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(c, &keep<K::io_regular_file>);
    OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(c, &keep<K::io_directory>);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(c, &keep<K::io_handle>);
    OTF2_GlobalDefReaderCallbacks_SetIoPreCreatedHandleStateCallback(c, &keep<K::io_pre_created_handle_state>);
    OTF2_GlobalDefReaderCallbacks_SetCallpathParameterCallback(c, &keep<K::call_path_parameter>);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(c, &keep<K::inter_comm>);
  }
};

RecordedDefinitions::RecordedDefinitions(OTF2_Reader* reader, std::uint64_t records) {
  if (records == 0) return;
  last_library_message();
  const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, void (*)(OTF2_GlobalDefReaderCallbacks*)> callbacks(
      OTF2_GlobalDefReaderCallbacks_New(), &OTF2_GlobalDefReaderCallbacks_Delete);
  if (!callbacks) throw std::bad_alloc();
  Callbacks::set_all(callbacks.get());
  OTF2_GlobalDefReader* const definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (definitions && OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks.get(), this) == OTF2_SUCCESS)
    OTF2_Reader_ReadGlobalDefinitions(reader, definitions, records, &read_);
  if (definitions) OTF2_Reader_CloseGlobalDefReader(reader, definitions);
  if (thrown_) std::rethrow_exception(thrown_);
  if (read_ < records) damage_ = "the OTF2 library stopped: " + last_library_message();
}

}  // namespace waitstate::otf2
