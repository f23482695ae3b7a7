// The second and third walk over the definitions, which read their contents: a short piece of code for each of the 38
// kinds of OTF2.
#include "otf2/definitions/raw.hpp"

namespace waitstate::otf2 {

// Second walk: fills the tables.
void DefinitionsBuilder::fill(K kind, Fields in) {
  switch (kind) {
    case K::clock_properties: {
      Clock clock;
      clock.resolution = in.u64(), clock.offset = in.u64(), clock.length = in.i64();
      clock.realtime = in.u64();
      if (has_clock_) {
        ++duplicates_;
      } else if (clock.resolution != 0) {
        d_.clock = clock;
        has_clock_ = true;
      }
      break;
    }
    case K::paradigm: {
      ParadigmDefinition p;
      p.paradigm = in.as<Paradigm>();
      p.name = text(in.u32());
      p.paradigm_class = in.as<ParadigmClass>();
      const auto same = [&](const ParadigmDefinition& other) { return other.paradigm == p.paradigm; };
      if (std::any_of(d_.paradigms.begin(), d_.paradigms.end(), same))
        ++duplicates_;
      else
        d_.paradigms.push_back(std::move(p));
      break;
    }
    case K::io_paradigm:
      if (IoParadigm* p = define(RefKind::io_paradigm, in.u8(), d_.io_paradigms)) {
        p->identification = text(in.u32()), p->name = text(in.u32());
        p->io_class = in.as<IoParadigmClass>();
        p->flags = in.u32();
        const unsigned n = in.u8();
        for (unsigned i = 0; i < n; ++i) {
          const auto property_kind = in.as<IoParadigmPropertyKind>();
          const std::string_view name = property_kind == IoParadigmPropertyKind::version ? "version" : "unknown";
          p->properties.push_back({std::string(name), value(in)});
        }
      }
      break;
    case K::attribute:
      if (Attribute* a = define(RefKind::attribute, in.u32(), d_.attributes)) {
        a->name = text(in.u32()), a->description = text(in.u32());
        a->type = in.as<ValueType>();
      }
      break;
    case K::system_tree_node:
      if (SystemTreeNode* n = define(RefKind::system_tree_node, in.u32(), d_.system_tree)) {
        n->name = text(in.u32()), n->class_name = text(in.u32());
        n->parent = id<SystemNodeId>(RefKind::system_tree_node, in.u32());
      }
      break;
    case K::call_site:
      if (CallSite* c = define(RefKind::call_site, in.u32(), d_.call_sites)) {
        c->file = text(in.u32()), c->line = in.u32();
        c->entered = id<RegionId>(RefKind::region, in.u32()), c->left = id<RegionId>(RefKind::region, in.u32());
      }
      break;
    case K::call_path:
      if (RecordedCallPath* c = define(RefKind::call_path, in.u32(), d_.recorded_call_paths)) {
        c->parent = id<RecordedCallPathId>(RefKind::call_path, in.u32());
        c->region = id<RegionId>(RefKind::region, in.u32());
      }
      break;
    case K::group: {
      RawGroup raw(in);
      if (raw.is_world() ? !seen_comm_locations_.insert(raw.ref).second : !is_first(RefKind::group, raw.ref))
        break;  // counted by the first walk
      Group g;
      g.ref = raw.ref, g.name = text(raw.name);
      g.type = raw.type, g.paradigm = raw.paradigm, g.flags = raw.flags;
      g.members = std::move(raw.members);
      const auto translate = [&](RefKind to) {
        for (std::uint64_t& member : g.members) member = resolve(to, member);
      };
      if (g.type == GroupType::comm_location_groups || (raw.has_global_members() && ranks_are_processes(g.paradigm)))
        translate(RefKind::location_group);
      else if (raw.lists_locations())
        translate(RefKind::location);
      else if (g.type == GroupType::regions)
        translate(RefKind::region);
      else if (g.type == GroupType::metric)
        translate(RefKind::metric);
      d_.groups.push_back(std::move(g));
      break;
    }
    case K::comm:
      if (Comm* c = define(RefKind::comm, in.u32(), d_.comms)) {
        c->name = text(in.u32());
        c->group = id<GroupId>(RefKind::group, in.u32());
        c->parent = id<CommId>(RefKind::comm, in.u32());
        c->flags = in.u32();
      }
      break;
    case K::inter_comm:
      if (Comm* c = define(RefKind::comm, in.u32(), d_.comms)) {
        c->name = text(in.u32());
        c->group = id<GroupId>(RefKind::group, in.u32()), c->group_b = id<GroupId>(RefKind::group, in.u32());
        c->parent = id<CommId>(RefKind::comm, in.u32());
        c->flags = in.u32();
      }
      break;
    case K::rma_win:
      if (RmaWin* w = define(RefKind::rma_win, in.u32(), d_.rma_wins)) {
        w->name = text(in.u32());
        w->comm = id<CommId>(RefKind::comm, in.u32());
        w->flags = in.u32();
      }
      break;
    default:
      fill_more(kind, in);
  }
}

void DefinitionsBuilder::fill_more(K kind, Fields& in) {
  switch (kind) {
    case K::metric_member:
      if (MetricMember* m = define(RefKind::metric_member, in.u32(), d_.metric_members)) {
        m->name = text(in.u32()), m->description = text(in.u32());
        m->type = in.as<MetricType>();
        m->mode = in.u8();
        m->value_type = in.as<ValueType>();
        m->base = in.as<Base>();
        m->exponent = in.i64();
        m->unit = text(in.u32());
      }
      break;
    case K::metric_class:
      if (Metric* m = define(RefKind::metric, in.u32(), d_.metrics)) {
        const unsigned n = in.u8();
        for (unsigned i = 0; i < n; ++i) m->members.push_back(id<MetricMemberId>(RefKind::metric_member, in.u32()));
        m->occurrence = in.as<MetricOccurrence>();
        m->recorder_kind = in.as<RecorderKind>();
      }
      break;
    case K::metric_instance:
      if (Metric* m = define(RefKind::metric, in.u32(), d_.metrics)) {
        m->metric_class = id<MetricId>(RefKind::metric, in.u32());
        m->recorder = id<LocationId>(RefKind::location, in.u64());
        m->scope = in.as<MetricScope>();
        m->scope_ref = in.u64();
      }
      break;
    case K::parameter:
      if (Parameter* p = define(RefKind::parameter, in.u32(), d_.parameters)) {
        p->name = text(in.u32());
        p->type = in.as<ParameterType>();
      }
      break;
    case K::cart_dimension:
      if (CartDimension* c = define(RefKind::cart_dimension, in.u32(), d_.cart_dimensions)) {
        c->name = text(in.u32()), c->size = in.u32();
        c->periodicity = in.as<CartPeriodicity>();
      }
      break;
    case K::cart_topology:
      if (CartTopology* c = define(RefKind::cart_topology, in.u32(), d_.cart_topologies)) {
        c->name = text(in.u32()), c->comm = id<CommId>(RefKind::comm, in.u32());
        const unsigned n = in.u8();
        for (unsigned i = 0; i < n; ++i)
          c->dimensions.push_back(id<CartDimensionId>(RefKind::cart_dimension, in.u32()));
      }
      break;
    case K::source_code_location:
      if (SourceCodeLocation* s = define(RefKind::source_code_location, in.u32(), d_.source_code_locations)) {
        s->file = text(in.u32()), s->line = in.u32();
      }
      break;
    case K::calling_context:
      if (CallingContext* c = define(RefKind::calling_context, in.u32(), d_.calling_contexts)) {
        c->region = id<RegionId>(RefKind::region, in.u32());
        c->source = id<SourceCodeLocationId>(RefKind::source_code_location, in.u32());
        c->parent = id<CallingContextId>(RefKind::calling_context, in.u32());
      }
      break;
    case K::interrupt_generator:
      if (InterruptGenerator* g = define(RefKind::interrupt_generator, in.u32(), d_.interrupt_generators)) {
        g->name = text(in.u32());
        g->mode = in.as<InterruptGeneratorMode>();
        g->base = in.as<Base>();
        g->exponent = in.i64();
        g->period = in.u64();
      }
      break;
    case K::io_regular_file:
    case K::io_directory:
      if (IoFile* f = define(RefKind::io_file, in.u32(), d_.io_files)) {
        f->name = text(in.u32()), f->scope = id<SystemNodeId>(RefKind::system_tree_node, in.u32());
        f->directory = kind == K::io_directory;
      }
      break;
    case K::io_handle:
      if (IoHandle* h = define(RefKind::io_handle, in.u32(), d_.io_handles)) {
        h->name = text(in.u32()), h->file = id<IoFileId>(RefKind::io_file, in.u32());
        h->paradigm = id<IoParadigmId>(RefKind::io_paradigm, in.u8());
        h->flags = in.u32();
        h->comm = id<CommId>(RefKind::comm, in.u32()), h->parent = id<IoHandleId>(RefKind::io_handle, in.u32());
      }
      break;
    default:
      break;
  }
}

// Third walk: attaches properties and the like to definitions made elsewhere.
void DefinitionsBuilder::attach(K kind, Fields in) {
  switch (kind) {
    case K::paradigm_property: {
      const auto paradigm = in.as<Paradigm>();
      const std::string_view name = enum_name(in.as<ParadigmPropertyKind>());
      const Value v = value(in);
      for (ParadigmDefinition& p : d_.paradigms)
        if (p.paradigm == paradigm) p.properties.push_back({std::string(name.empty() ? "unknown" : name), v});
      break;
    }
    case K::metric_class_recorder: {
      Metric* metric = find(RefKind::metric, in.u32(), d_.metrics);
      const auto recorder = id<LocationId>(RefKind::location, in.u64());
      if (metric) metric->recorders.push_back(recorder);
      break;
    }
    case K::system_tree_node_property:
      property(in, find(RefKind::system_tree_node, in.u32(), d_.system_tree));
      break;
    case K::system_tree_node_domain:
      if (SystemTreeNode* node = find(RefKind::system_tree_node, in.u32(), d_.system_tree))
        node->domains.push_back(in.as<SystemTreeDomain>());
      break;
    case K::location_group_property:
      property(in, find(RefKind::location_group, in.u32(), d_.processes));
      break;
    case K::location_property:
      property(in, find(RefKind::location, in.u64(), d_.locations));
      break;
    case K::cart_coordinate: {
      CartTopology* topology = find(RefKind::cart_topology, in.u32(), d_.cart_topologies);
      std::vector<std::uint64_t> entry{in.u32()};
      const unsigned n = in.u8();
      for (unsigned i = 0; i < n; ++i) entry.push_back(in.u32());
      if (topology && n != topology->dimensions.size())
        ++misfits_;
      else if (topology)
        topology->coordinates.insert(topology->coordinates.end(), entry.begin(), entry.end());
      break;
    }
    case K::calling_context_property:
      property(in, find(RefKind::calling_context, in.u32(), d_.calling_contexts));
      break;
    case K::io_file_property:
      property(in, find(RefKind::io_file, in.u32(), d_.io_files));
      break;
    case K::call_path_parameter: {
      RecordedCallPath* path = find(RefKind::call_path, in.u32(), d_.recorded_call_paths);
      const Parameter* parameter = find(RefKind::parameter, in.u32(), d_.parameters);
      const Value v = value(in);
      if (path) path->parameters.push_back({parameter ? parameter->name : std::string(), v});
      break;
    }
    case K::io_pre_created_handle_state:
      if (IoHandle* handle = find(RefKind::io_handle, in.u32(), d_.io_handles)) {
        handle->pre_created = true;
        handle->access_mode = in.as<IoAccessMode>();
        handle->status_flags = in.u32();
      }
      break;
    default:
      break;
  }
}

}  // namespace waitstate::otf2
