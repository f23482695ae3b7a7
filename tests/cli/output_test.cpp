// Outputs when something goes wrong: nothing half-written under the final name, nothing left beside it, the right exit
// code, and never a lost input. Signals are raised in the middle of the work by the work itself, so that no test
// depends on time; tests/checks/outputs.py sends them from outside.
// The file is long because each failure is produced here by hand.
#include "cli/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>
#include <thread>

#include "cli/guard.hpp"
#include "cli/run_program.hpp"
#include "report/cube/archive.hpp"
#include "report/format/output_file.hpp"
#include "util/temporary_folder.hpp"

namespace waitstate::test {
namespace {

using Names = std::vector<std::string>;

const std::string p2p_trace = std::string(WAITSTATE_TRACES) + "/p2p";

class Outputs : public testing::Test {
 protected:
  Names names() const {
    Names all = folder.names();
    std::sort(all.begin(), all.end());
    return all;
  }
  /// The message on stderr, without what all have in common.
  static std::string error(const Outcome& o) {
    const std::string begin = "waitstate: error: ";
    EXPECT_EQ(o.err.find(begin), 0u) << o.err;
    return o.err.size() > begin.size() ? o.err.substr(begin.size(), o.err.size() - begin.size() - 1) : o.err;
  }
  /// Writes half of an output in a guarded child, which then ends by that signal.
  int half_written(int signal) const {
    const std::string file = folder / "r.json";
    return cli::guarded("the trace", {file}, false, [&] {
      cli::Output output(file);
      output.stream() << "half" << std::flush;
      const util::TemporaryFolder links;
      if (folder.names().size() != 3) return 99;  // the signal would come too early or too late
      ::raise(signal);
      return 98;
    });
  }

  const TemporaryFolder folder;
};

TEST_F(Outputs, a_signal_that_ends_the_work_leaves_nothing) {
  folder.file("r.json", "old");
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    EXPECT_EXIT(half_written(signal), testing::KilledBySignal(signal), "^$");
    EXPECT_EQ(names(), Names{"r.json"}) << signal;
  }
  EXPECT_EXIT(::_exit(half_written(SIGKILL)), testing::ExitedWithCode(3), "was killed \\(signal 9\\)");
  EXPECT_EXIT(::_exit(half_written(SIGXCPU)), testing::ExitedWithCode(3), "reached a resource limit");
  ::unsetenv("TMPDIR");
  EXPECT_EQ(names(), Names{"r.json"});
  EXPECT_EQ(content_of(folder / "r.json"), "old");
}

TEST_F(Outputs, nor_does_one_that_ends_a_process_without_a_child) {
  const std::string file = folder.file("r.json", "old");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto work = [&] {
      cli::guarded("the trace", {file}, true, [&] {
        cli::Output output(file);
        output.stream() << "half" << std::flush;
        if (folder.names().size() == 2) ::raise(signal);  // earlier, the signal would come too soon
        return 98;
      });
      ::_exit(97);
    };
    EXPECT_EXIT(work(), testing::KilledBySignal(signal), "^$");
    EXPECT_EQ(names(), Names{"r.json"}) << signal;
  }
  EXPECT_EQ(content_of(file), "old");
}

TEST_F(Outputs, signals_that_the_caller_ignores_stay_ignored) {
  for (const int signal : {SIGINT, SIGHUP}) {
    const auto work = [signal] {
      std::signal(signal, SIG_IGN);
      ::_exit(cli::guarded("the trace", {}, false, [signal] {
        ::kill(::getppid(), signal);
        ::raise(signal);
        return 7;
      }));
    };
    EXPECT_EXIT(work(), testing::ExitedWithCode(7), "^$");
  }
}

TEST_F(Outputs, a_full_disk_keeps_what_was_there) {
  const std::string report = folder / "source.json";
  ASSERT_EQ(run({"analyze", p2p_trace, "-o", report}).exit_code, 0);
  const std::vector<std::pair<std::string, std::string>> written = {
      {"analyze '" + p2p_trace + "'", "r.csv"},   {"analyze '" + p2p_trace + "'", "r.json"},
      {"analyze '" + p2p_trace + "'", "r.cubex"}, {"analyze --full '" + p2p_trace + "'", "r.txt"},
      {"show --full '" + report + "'", "s.txt"},  {"graph --format graphml '" + report + "'", "g.graphml"}};
  for (const auto& [command, name] : written) {
    const std::string file = folder.file(name, "old");
    const Names before = names();
    const Outcome o = run_shell("ulimit -f 1; exec \"$0\" " + command + " -o '" + file + "'");
    EXPECT_EQ(o.exit_code, 2) << command;
    EXPECT_EQ(error(o), "cannot write " + file + ": File too large");
    EXPECT_EQ(content_of(file), "old") << command;
    EXPECT_EQ(names(), before) << command;
  }
}

TEST_F(Outputs, a_failed_write_to_standard_output_is_an_error) {
  EXPECT_EQ(error(run_shell("exec \"$0\" analyze '" + p2p_trace + "' > /dev/full")),
            "cannot write standard output: No space left on device");
  for (const char* command : {"analyze", "print", "info"}) {
    const Outcome o = run_shell(std::string("exec \"$0\" ") + command + " '" + p2p_trace + "' >&-");
    EXPECT_EQ(o.exit_code, 2) << command;
    EXPECT_EQ(error(o), "cannot write standard output: Bad file descriptor") << command;
  }
  for (const char* words : {"--help", "analyze --help", "--version", "patterns", "explain time"}) {
    const Outcome o = run_shell(std::string("exec \"$0\" ") + words + " > /dev/full");
    EXPECT_EQ(o.exit_code, 2) << words;
    EXPECT_EQ(error(o), "cannot write standard output: No space left on device") << words;
    EXPECT_EQ(run_shell(std::string("{ \"$0\" ") + words + "; echo $? >&2; } | :").err, "0\n") << words;
  }
}

TEST_F(Outputs, files_do_not_take_the_place_of_closed_streams) {
  const std::string file = folder / "r.csv";
  EXPECT_EQ(run_shell("exec \"$0\" analyze '" + p2p_trace + "' -o '" + file + "' <&- >&- 2>&-").exit_code, 0);
  EXPECT_EQ(content_of(file), run({"analyze", p2p_trace, "--format", "csv"}).out);
}

TEST_F(Outputs, what_is_no_regular_file_is_written_to_directly) {
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Outcome o =
      run_shell("cat '" + pipe + "' & \"$0\" analyze '" + p2p_trace + "' --format csv -o '" + pipe + "'; wait");
  EXPECT_EQ(o.out, run({"analyze", p2p_trace, "--format", "csv"}).out);
  EXPECT_EQ(run({"analyze", p2p_trace, "-o", "/dev/null"}).exit_code, 0);
  EXPECT_EQ(names(), Names{"pipe"});
}

TEST_F(Outputs, a_link_and_permissions_are_kept) {
  const std::string file = folder.file("r.csv", "old");
  ::chmod(file.c_str(), 0640);
  ASSERT_EQ(::symlink("r.csv", (folder / "link.csv").c_str()), 0);
  EXPECT_EQ(run({"analyze", p2p_trace, "-o", folder / "link.csv"}).exit_code, 0);
  EXPECT_EQ(content_of(file).find("metric,callpath,"), 0u);
  struct stat status {};
  ASSERT_EQ(::lstat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
  ASSERT_EQ(::lstat((folder / "link.csv").c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
}

/// Bits by which a program runs as its owner would make our file one that runs as us.
TEST_F(Outputs, of_the_old_file_only_permissions_are_kept_and_only_of_our_own) {
  const std::string file = folder.file("r.csv", "old");
  ::chmod(file.c_str(), 06755);
  EXPECT_EQ(run({"analyze", p2p_trace, "-o", file}).exit_code, 0);
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0755u);
  if (::geteuid() != 0) return;  // only root can replace a file of somebody else here
  ::chmod(file.c_str(), 0666);
  ASSERT_EQ(::chown(file.c_str(), 12345, 12345), 0);
  const mode_t mask = ::umask(022);
  EXPECT_EQ(run({"analyze", p2p_trace, "-o", file}).exit_code, 0);
  ::umask(mask);
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0644u);
  EXPECT_EQ(status.st_uid, 0u);
}

TEST_F(Outputs, no_input_is_overwritten) {
  const std::string text = "0 0 enter main\n0 10 exit\n";
  const std::string trace = folder.file("t.json", text), config = folder.file("c.json", "{}");
  ASSERT_EQ(::link(trace.c_str(), (folder / "same.json").c_str()), 0);
  const std::string advice = ": it is an input of this command; give another name";
  for (const std::string& output : {trace, (folder / "same.json").string()}) {
    for (const std::string command : {"analyze", "show", "graph"}) {
      const Outcome o = run({command, trace, "-o", output});
      EXPECT_EQ(o.exit_code, 2);
      EXPECT_EQ(error(o), "cannot write " + output + advice);
    }
    EXPECT_EQ(error(run({"diff", p2p_trace, trace, "-o", output})), "cannot write " + output + advice);
  }
  EXPECT_EQ(error(run({"analyze", trace, "--config", config, "-o", config})), "cannot write " + config + advice);
  EXPECT_EQ(error(run_shell("exec \"$0\" print '" + trace + "' >> '" + trace + "'")),
            "cannot write standard output" + advice);
  EXPECT_EQ(content_of(trace), text);
  EXPECT_EQ(content_of(config), "{}");
}

TEST_F(Outputs, no_file_of_an_archive_is_overwritten) {
  std::filesystem::copy(p2p_trace, folder / "p2p", std::filesystem::copy_options::recursive);
  for (const char* name : {"p2p/traces.otf2", "p2p/traces.def", "p2p/traces/0.evt"}) {
    const std::string file = folder / name, before = content_of(file);
    const Outcome o = run({"analyze", folder / "p2p", "-o", file});
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_EQ(error(o), "cannot write " + file + ": a " + std::filesystem::path(name).extension().string() +
                            " file that exists belongs to a trace; give another name");
    EXPECT_EQ(content_of(file), before);
  }
  for (const char* name : {"p2p/traces.otf2", "p2p/traces.def", "p2p/traces/0.evt"}) {
    const std::string file = folder / name, link = folder / "link.json", before = content_of(file);
    std::filesystem::create_symlink(file, link);
    const Outcome o = run({"analyze", folder / "p2p", "-o", link});
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_EQ(error(o), "cannot write " + link + ": a " + std::filesystem::path(name).extension().string() +
                            " file that exists belongs to a trace; give another name");
    EXPECT_EQ(content_of(file), before);
    std::filesystem::remove(link);
  }
  EXPECT_EQ(run({"analyze", folder / "p2p", "--format", "text", "-o", folder / "new.def"}).exit_code, 0)
      << "that destroys nothing";
}

TEST_F(Outputs, no_file_is_added_to_an_archive) {
  std::filesystem::copy(p2p_trace, folder / "p2p", std::filesystem::copy_options::recursive);
  const auto listing = [&] {
    Names all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
      all.push_back(entry.path().string());
    std::sort(all.begin(), all.end());
    return all;
  };
  const Names before = listing();
  for (const char* name :
       {"p2p/new.otf2", "p2p/new.def", "p2p/traces/99.evt", "p2p/traces.marker", "p2p/traces/9.snap"}) {
    const std::string file = folder / name;
    for (const char* format : {"json", "text"}) {
      const Outcome o = run({"analyze", folder / "p2p", "--format", format, "-o", file});
      EXPECT_EQ(o.exit_code, 2) << name;
      EXPECT_EQ(error(o), "cannot write " + file + ": a " + std::filesystem::path(name).extension().string() +
                              " file in the folder of a trace would be taken for a part of it; give another name");
    }
  }
  EXPECT_EQ(listing(), before);
  std::filesystem::create_symlink("p2p/new.otf2", folder / "link.json");
  EXPECT_EQ(error(run({"analyze", p2p_trace, "-o", folder / "link.json"})),
            "cannot write " + (folder / "link.json").string() +
                ": a .otf2 file in the folder of a trace would be taken for a part of it; give another name");
  EXPECT_EQ(run({"analyze", folder / "p2p", "-o", folder / "p2p/new.json"}).exit_code, 0) << "that is no part of one";
  EXPECT_EQ(run({"info", folder / "p2p"}).exit_code, 0);
}

// The limit of a name is 255 bytes on all file systems that matter; that of its temporary file too.
TEST_F(Outputs, names_may_be_as_long_as_the_file_system_allows) {
  const std::string expected = run({"analyze", p2p_trace, "--format", "csv"}).out;
  for (const std::size_t size : {226u, 230u, 231u, 251u, 255u}) {
    const std::string file = folder / (std::string(size - 4, 'x') + ".csv");
    const Outcome o = run({"analyze", p2p_trace, "-o", file});
    EXPECT_EQ(o.exit_code, 0) << size << o.err;
    EXPECT_EQ(content_of(file), expected);
    std::filesystem::remove(file);
  }
  std::string euros;  // no character of it is cut in two
  while (euros.size() < 246) euros += "\xe2\x82\xac";
  EXPECT_EQ(run({"analyze", p2p_trace, "-o", folder / (euros + ".csv")}).exit_code, 0);
  EXPECT_EQ(names(), Names{euros + ".csv"});
  for (const pid_t writer : {1, 4194304}) {
    const std::string temporary = report::OutputFile::temporary(folder / (euros + ".csv"), writer).filename();
    EXPECT_LE(temporary.size(), 255u);
    EXPECT_TRUE(temporary.starts_with(euros.substr(0, 200))) << temporary;
    EXPECT_EQ(temporary.substr(temporary.rfind("\xac") + 1, 1), ".");
    EXPECT_NE(temporary, report::OutputFile::temporary(folder / (euros + ".txt"), writer).filename());
  }
  EXPECT_EQ(run({"analyze", p2p_trace, "-o", folder / (std::string(241, 'r') + ".cubex")}).err, "");
  const std::string trace = folder.file(std::string(247, 't') + ".txt", "0 0 enter main\n0 10 exit\n");
  EXPECT_EQ(run({"analyze", trace}).exit_code, 0);
}

/// Ends a process that has written half of `file` by SIGKILL, as an impatient user does; returns its number.
pid_t killed_while_writing(const std::string& file) {
  const pid_t child = ::fork();
  if (child == 0) {
    report::OutputFile output(file);
    output.stream() << "half" << std::flush;
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return child;
}

TEST_F(Outputs, what_a_killed_run_has_left_is_cleared_by_the_next_one) {
  for (const std::string& name : {std::string("r.csv"), std::string(251, 'x') + ".csv"}) {
    const std::string file = folder / name, other = folder / ("other." + name.substr(0, 200));
    const pid_t dead = killed_while_writing(file), of_other = killed_while_writing(other);
    EXPECT_EQ(content_of(report::OutputFile::temporary(file, dead)), "half") << "else the test tests nothing";
    const std::string kept = report::OutputFile::temporary(other, of_other).filename();
    folder.file(name.substr(0, 100) + ".x1.tmp", "somebody else's");
    EXPECT_EQ(run({"analyze", p2p_trace, "-o", file}).exit_code, 0);
    Names expected = {name.substr(0, 100) + ".x1.tmp", name, kept};
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(names(), expected);
    for (const std::string& left : expected) std::filesystem::remove(folder / left);
  }
}

TEST_F(Outputs, so_are_folders_for_links) {
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  const auto left = [&] {
    const pid_t child = ::fork();
    if (child == 0) {
      util::TemporaryFolder made;
      made.link(".otf2", "/nowhere");
      ::raise(SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
  };
  left();
  ASSERT_EQ(names().size(), 1u);
  const std::string old = names().front();
  left();
  EXPECT_EQ(names().size(), 2u) << "in the first minute it might be somebody's on another machine";
  const timespec long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (folder / old).c_str(), long_ago, 0), 0);
  std::filesystem::create_directory(folder / "waitstate-recording");
  ASSERT_EQ(::utimensat(AT_FDCWD, (folder / "waitstate-recording").c_str(), long_ago, 0), 0);
  { const util::TemporaryFolder next; }
  ::unsetenv("TMPDIR");
  const Names after = names();
  EXPECT_EQ(after.size(), 2u);
  EXPECT_EQ(std::count(after.begin(), after.end(), old), 0);
  EXPECT_EQ(std::count(after.begin(), after.end(), "waitstate-recording"), 1);
}

/// Names of others that look like ours: the numbers belong to no process, and all are old.
TEST_F(Outputs, what_others_have_put_there_stays) {
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  const timespec long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  const Names folders = {"waitstate-2026-11-runs", "waitstate-999999999-abcdef", "waitstate-999999998-links1",
                         "waitstate-0999999-abcdef"};
  for (const std::string& name : folders) std::filesystem::create_directory(folder / name);
  folder.file("waitstate-2026-11-runs/result.txt", "of the user");
  folder.file("waitstate-999999999-abcdef/traces.def", "of the user");
  ASSERT_EQ(::symlink("/nowhere", (folder / "waitstate-999999998-links1/mine").c_str()), 0);
  folder.file("r.csv.20261127.tmp", "of the user");
  folder.file("r.csv.waitstate-x1.tmp", "of the user");
  ASSERT_EQ(::symlink("/nowhere", (folder / "r.csv.waitstate-999999999.tmp").c_str()), 0);
  const Names before = names();
  for (const std::string& name : before)
    ASSERT_EQ(::utimensat(AT_FDCWD, (folder / name).c_str(), long_ago, AT_SYMLINK_NOFOLLOW), 0);
  { const util::TemporaryFolder next; }
  EXPECT_EQ(run({"analyze", p2p_trace, "-o", folder / "r.csv"}).exit_code, 0);
  ::unsetenv("TMPDIR");
  Names expected = before;
  expected.emplace_back("r.csv");
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(names(), expected);
  EXPECT_EQ(content_of(folder / "waitstate-2026-11-runs/result.txt"), "of the user");
  EXPECT_EQ(content_of(folder / "waitstate-999999999-abcdef/traces.def"), "of the user");
}

/// In another container its number means nothing here.
TEST_F(Outputs, a_folder_for_links_that_is_in_use_stays) {
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  const util::TemporaryFolder used;
  const std::filesystem::path other = folder / "waitstate-999999999-abcdef";
  std::filesystem::rename(used.path(), other);
  const timespec long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, other.c_str(), long_ago, 0), 0);
  { const util::TemporaryFolder next; }
  ::unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::exists(other));
}

TEST_F(Outputs, what_another_process_is_writing_is_not_cleared) {
  const std::string file = folder / "r.csv";
  int ready[2], done[2];
  ASSERT_EQ(::pipe(ready) + ::pipe(done), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    report::OutputFile output(file);
    output.stream() << "slow" << std::flush;
    char byte = 0;
    (void)!::write(ready[1], "r", 1);
    (void)!::read(done[0], &byte, 1);
    output.commit();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const std::string slow = report::OutputFile::temporary(file, child);
  const timespec long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, slow.c_str(), long_ago, 0), 0);
  EXPECT_EQ(run({"analyze", p2p_trace, "-o", file}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(slow));
  ASSERT_EQ(::write(done[1], "d", 1), 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(content_of(file), "slow");
  EXPECT_EQ(names(), Names{"r.csv"});
  for (const int fd : {ready[0], ready[1], done[0], done[1]}) ::close(fd);

  // Somebody else has its number by now.
  std::filesystem::remove(file);
  const std::string left = folder.file(report::OutputFile::temporary(file, 1).filename(), "half");
  EXPECT_EQ(run({"analyze", p2p_trace, "-o", file}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(left)) << "it may be about to take its lock";
  ASSERT_EQ(::utimensat(AT_FDCWD, left.c_str(), long_ago, 0), 0);
  EXPECT_EQ(run({"analyze", p2p_trace, "-o", file}).exit_code, 0);
  EXPECT_EQ(names(), Names{"r.csv"});
}

TEST_F(Outputs, what_a_link_points_to_is_made) {
  ASSERT_EQ(::symlink("made.json", (folder / "link.json").c_str()), 0);
  EXPECT_EQ(run({"analyze", p2p_trace, "-o", folder / "link.json"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.json"));
  EXPECT_TRUE(std::filesystem::is_regular_file(folder / "made.json"));
}

TEST_F(Outputs, a_link_to_itself_is_no_trace_stat) {
  ASSERT_EQ(::symlink("trace.stat", (folder / "trace.stat").c_str()), 0);
  const Outcome o = run({"analyze", p2p_trace, "-o", folder / "r.cubex"});
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(report::member_of(folder / "r.cubex", "trace.stat"), content_of(folder / "trace.stat"));
}

TEST_F(Outputs, trace_stat_is_replaced_with_its_own_report_only) {
  const std::string a = folder / "a.cubex", b = folder / "b.cubex", stat = folder / "trace.stat";
  Outcome o = run({"analyze", p2p_trace, "-o", a});
  EXPECT_EQ(o.err, "");
  const std::string first = content_of(stat);
  EXPECT_EQ(report::member_of(a, "trace.stat"), first);

  o = run({"analyze", p2p_trace, "--pattern", "mpi_latesender", "-o", b});  // another report in the same folder
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "waitstate: note: " + stat + " belongs to another report and was not changed; " + b +
                       " contains its statistics itself\n");
  EXPECT_EQ(content_of(stat), first);
  EXPECT_NE(report::member_of(b, "trace.stat"), first);

  o = run(
      {"analyze", p2p_trace, "--pattern", "mpi_latereceiver", "-o", a});  // the same report again, with other results
  EXPECT_EQ(o.err, "");
  EXPECT_NE(content_of(stat), first);
  EXPECT_EQ(report::member_of(a, "trace.stat"), content_of(stat));
  EXPECT_EQ(names(), (Names{"a.cubex", "b.cubex", "trace.stat"}));
}

TEST_F(Outputs, statistics_of_another_report_may_be_read_only) {
  const std::string stat = folder.file("trace.stat", "of somebody");
  ::chmod(stat.c_str(), 0444);
  const Outcome o = run({"analyze", p2p_trace, "-o", folder / "r.cubex"});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(content_of(stat), "of somebody");
}

// Whichever process comes last, the statistics are those of its report; at no time are they those of another report.
TEST_F(Outputs, trace_stat_is_that_of_its_report_whoever_writes_at_once) {
  const std::string report = folder / "r.cubex", stat = folder / "trace.stat";
  const std::string one = "\"$0\" analyze '" + p2p_trace + "' -o '" + report + "' --pattern ";
  for (int round = 0; round < 30; ++round) {
    const Outcome o =
        run_shell(one + "mpi_latesender & " + one + "mpi_latereceiver & " + one + "mpi_latesender_wo & wait");
    EXPECT_EQ(o.err, "") << round;
    ASSERT_EQ(report::member_of(report, "trace.stat"), content_of(stat)) << round;
  }
  EXPECT_EQ(names(), (Names{"r.cubex", "trace.stat"}));
}

// Held up between both names, in the only moment in which one could be another's.
TEST_F(Outputs, nobody_else_replaces_a_report_while_its_statistics_follow) {
  const std::string report = folder / "r.cubex", stat = folder / "trace.stat";
  ASSERT_EQ(run({"analyze", p2p_trace, "--pattern", "mpi_latesender", "-o", report}).err, "");
  const std::string before = content_of(report);
  std::optional<report::FolderLock> held(folder.path());
  std::thread other([&] { run({"analyze", p2p_trace, "--pattern", "mpi_latereceiver", "-o", report}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(content_of(report), before);
  held.reset();
  other.join();
  EXPECT_NE(content_of(report), before);
  EXPECT_EQ(report::member_of(report, "trace.stat"), content_of(stat));
}

}  // namespace
}  // namespace waitstate::test
