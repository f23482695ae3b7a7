#include <vector>

#include "charged.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class IoCostsPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "io_costs",
                         .parent = "costs",
                         .within_parent = false,
                         .title = "I/O costs",
                         .summary = "Time in input and output."}},
            .severity =
                "the time of the regions of the I/O group: those that the recorder marks as file I/O, and those that "
                "the parameter `regions` names",
            .charged_to = "the call paths of these regions, each location",
            .state = "none: computed at the end from time, by region",
            .source = "Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
            .differs = "no; the default group contains MPI-IO, POSIX and C I/O",
            .diagnosis = "do I/O in larger pieces, collectively, or by fewer processes",
            .needs = {"costs"},
            .parameters = {
                {"regions",
                 std::string("MPI_File_* open open64 openat creat close read write pread pwrite pread64 pwrite64 "
                             "readv writev preadv pwritev lseek lseek64 fsync fdatasync fopen fopen64 fclose fread "
                             "fwrite fseek fflush fgets fputs fprintf fscanf"),
                 "", "Names of the I/O group's regions, separated by blanks; `*` at the end stands for any text."}}};
  }

  void configure(const Parameters& p) override { names_ = p.text("regions"); }

  void wrapup(Context& c) override {
    const Definitions& d = c.definitions();
    std::vector<bool> chosen(d.regions.size());
    for (std::size_t r = 0; r < chosen.size(); ++r) {
      const Region& region = d.regions[r];
      chosen[r] =
          region.role == RegionRole::file_io || region.role == RegionRole::file_io_metadata || named(region.name);
    }
    std::vector<std::string_view> classes;
    for (int k = 0; k < region_class_count; ++k) classes.push_back(name(static_cast<RegionClass>(k)));
    add_charged(c, classes, [&](CallPathId path) {
      const RegionId region = c.call_tree()[path].region;
      return region.valid() && chosen[region.index()];
    });
  }

 private:
  bool named(std::string_view region) const {
    for (std::string_view rest = names_; !rest.empty();) {
      std::string_view name = rest.substr(0, rest.find(' '));
      rest.remove_prefix(name.size() == rest.size() ? rest.size() : name.size() + 1);
      if (name.ends_with('*') ? region.starts_with(name.substr(0, name.size() - 1)) : region == name)
        return !name.empty();
    }
    return false;
  }
  std::string names_;
};

}  // namespace

PatternHandle io_costs() { return make_pattern<IoCostsPattern>(); }

}  // namespace waitstate::patterns
