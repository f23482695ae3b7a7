// Every message of the notation in full: path and line, what was found and expected, the line, and the caret.
#include <gtest/gtest.h>

#include <string>

#include "notation/support.hpp"

namespace waitstate::notation {
namespace {

struct Case {
  const char* text;
  const char* message;
};

// Each text and the message that it gives, without the "notation:" in front.
const Case cases[] = {
    // lines
    {"regoin 0 name=x", R"(1: unknown keyword "regoin": did you mean "region"?
  regoin 0 name=x
  ^)"},
    {"\n# c\n  hello world",
     R"(3: unknown keyword "hello": expected an event (location, time, type) or a definition (region, comm, …)
    hello world
    ^)"},
    {"=", R"(1: unknown keyword "=": expected an event (location, time, type) or a definition (region, comm, …)
  =
  ^)"},
    {"0", R"(1: expected a number for the time, found the end of the line
  0
   ^)"},
    {"0 12.5 enter main", R"(1: expected a number for the time, found "12.5"
  0 12.5 enter main
    ^)"},
    {"0,1 enter main", R"(1: expected a blank after the location, found ","
  0,1 enter main
   ^)"},
    {"0x 1 enter main", R"(1: expected a number for the location, found "0x"
  0x 1 enter main
  ^)"},
    {"4294967295 1 enter main", R"(1: 4294967295 is too large for the location: at most 4294967294
  4294967295 1 enter main
  ^)"},
    {"16384 1 enter main", R"(1: location 16384 is too large: without location lines at most 16383
  16384 1 enter main
  ^)"},
    {"0 18446744073709551616 enter main",
     R"(1: 18446744073709551616 is too large for the time: at most 18446744073709551615
  0 18446744073709551616 enter main
    ^)"},
    {"0 5  # nothing", R"(1: expected an event type such as enter or send, found the end of the line
  0 5  # nothing
       ^)"},
    {"0 110 sned dest=1", R"(1: unknown event type "sned": did you mean "send"?
  0 110 sned dest=1
        ^)"},
    {"0 110 bazinga", R"(1: unknown event type "bazinga": expected a type such as enter or send
  0 110 bazinga
        ^)"},
    {"0 110 send, dest=1", R"(1: expected a blank after the event type, found ","
  0 110 send, dest=1
            ^)"},

    // regions
    {"0 0 enter", R"(1: enter needs a region: its name, or # and its index
  0 0 enter
           ^)"},
    {"0 0 enter 5",
     R"(1: expected a text for the name of the region, found "5": a text that is not a plain word needs quotes
  0 0 enter 5
            ^)"},
    {"region 0 name=a\n0 0 enter #1", R"(2: region 1 is not defined: the last one is region 0
  0 0 enter #1
            ^)"},
    {"0 0 enter #1", R"(1: region 1 is not defined: there is no region line
  0 0 enter #1
            ^)"},
    {"region 0 name=a\nregion 1 name=f\nregion 2 name=f\n0 0 enter f",
     R"(4: 2 regions are called "f": name one by # and its index, such as #1
  0 0 enter f
            ^)"},
    {"0 0 enter vector<int>", R"(1: "<" cannot stand in a plain word: put the text in quotes
  0 0 enter vector<int>
                  ^)"},
    {"0 0 exit main tag=5", R"(1: exit has no attribute "tag": it has a region, by its name alone
  0 0 exit main tag=5
                ^)"},

    // attributes
    {"0 0 send tag=1", R"(1: send needs dest=…
  0 0 send tag=1
                ^)"},
    {"0 0 recv # src", R"(1: recv needs src=…
  0 0 recv # src
           ^)"},
    {"0 0 thread_team_begin", R"(1: thread_team_begin needs team=…
  0 0 thread_team_begin
                       ^)"},
    {"0 0 send dest=1 tga=3", R"(1: send has no attribute "tga": did you mean "tag"?
  0 0 send dest=1 tga=3
                  ^)"},
    {"0 0 send dest=1 colour=3", R"(1: send has no attribute "colour": expected dest, tag, com or len
  0 0 send dest=1 colour=3
                  ^)"},
    {"0 0 collective_begin com=0", R"(1: collective_begin has no attribute "com": it has none
  0 0 collective_begin com=0
                       ^)"},
    {"0 0 send dest=1 tag=1 tag=2", R"(1: tag is given twice
  0 0 send dest=1 tag=1 tag=2
                        ^)"},
    {"0 0 metric metric=none values=() values=()", R"(1: values is given twice
  0 0 metric metric=none values=() values=()
                                   ^)"},
    {"0 0 send dest 1", R"(1: expected "=" behind dest, found "1"
  0 0 send dest 1
               ^)"},
    {"0 0 send dest=1 =3", R"(1: expected an attribute such as tag=7, found "="
  0 0 send dest=1 =3
                  ^)"},
    {"0 0 send dest=1 tag=4294967296", R"(1: 4294967296 is too large for tag: at most 4294967295
  0 0 send dest=1 tag=4294967296
                      ^)"},
    {"0 0 send dest=1 tag=-1", R"(1: expected a number for tag, found "-1"
  0 0 send dest=1 tag=-1
                      ^)"},
    {"0 0 send dest=1 tag=", R"(1: expected a number for tag, found the end of the line
  0 0 send dest=1 tag=
                      ^)"},
    {"0 0 program_end status=9223372036854775808",
     R"(1: 9223372036854775808 is out of range for status: expected -9223372036854775808 to 9223372036854775807
  0 0 program_end status=9223372036854775808
                         ^)"},
    {"0 0 program_end status=x", R"(1: expected a number for status, found "x"
  0 0 program_end status=x
                         ^)"},
    {"0 0 send dest=1 com=1", R"(1: comm 1 is not defined: there is no comm line
  0 0 send dest=1 com=1
                      ^)"},
    {"location 0\n0 0 send dest=1", R"(2: location 1 is not defined: the last one is location 0
  0 0 send dest=1
                ^)"},
    {"location 0\n1 0 enter main", R"(2: location 1 is not defined: the last one is location 0
  1 0 enter main
  ^)"},
    {"0 0 collective_end op=barier", R"(1: expected a name or a number for op, found "barier": did you mean "barrier"?
  0 0 collective_end op=barier
                        ^)"},
    {"0 0 collective_end op=foo",
     R"(1: expected a name or a number for op, found "foo": expected barrier, bcast, … destroy_handle_and_deallocate
  0 0 collective_end op=foo
                        ^)"},
    {"0 0 measurement_on_off mode=maybe", R"(1: expected a name or a number for mode, found "maybe": expected on or off
  0 0 measurement_on_off mode=maybe
                              ^)"},
    {"0 0 measurement_on_off mode=256", R"(1: 256 is too large for mode: at most 255
  0 0 measurement_on_off mode=256
                              ^)"},
    {"0 0 exit @1=uint64:5", R"(1: attribute 1 is not defined: there is no attribute line
  0 0 exit @1=uint64:5
            ^)"},
    {"attribute 0\n0 0 exit @0 uint64:5", R"(2: expected "=" after the index of an attribute, found "uint64:5"
  0 0 exit @0 uint64:5
             ^)"},

    // typed values
    {"0 0 metric metric=none values=(5)", R"-(1: expected ":" between a type and its value, found ")"
  0 0 metric metric=none values=(5)
                                  ^)-"},
    {"0 0 metric metric=none values=(unit64:5)",
     R"(1: expected a typed value such as uint64:5 for values, found "unit64:5": did you mean "uint64"?
  0 0 metric metric=none values=(unit64:5)
                                 ^)"},
    {"0 0 metric metric=none values=(integer:5)",
     R"(1: expected a typed value such as uint64:5 for values, found "integer:5": expected none, uint8 to uint64, int8 to int64, float, double, string or what it refers to
  0 0 metric metric=none values=(integer:5)
                                 ^)"},
    {"0 0 metric metric=none values=(\"x\")", R"(1: expected a typed value such as uint64:5 for values, found """
  0 0 metric metric=none values=("x")
                                 ^)"},
    {"0 0 metric metric=none values=(5x:5)", R"(1: expected a typed value such as uint64:5 for values, found "5x:5"
  0 0 metric metric=none values=(5x:5)
                                 ^)"},
    {"0 0 metric metric=none values=(256:5)", R"(1: 256 is too large for a type: at most 255
  0 0 metric metric=none values=(256:5)
                                 ^)"},
    {"0 0 metric metric=none values=(uint8:256)", R"(1: 256 is too large for uint8: at most 255
  0 0 metric metric=none values=(uint8:256)
                                       ^)"},
    {"0 0 metric metric=none values=(int8:-129)", R"(1: -129 is out of range for int8: expected -128 to 127
  0 0 metric metric=none values=(int8:-129)
                                      ^)"},
    {"0 0 metric metric=none values=(double:1e999)",
     R"(1: 1e999 does not fit into a double: write inf, 0 or a number that does
  0 0 metric metric=none values=(double:1e999)
                                        ^)"},
    {"0 0 metric metric=none values=(double:--1)", R"(1: expected a number for double, found "--1"
  0 0 metric metric=none values=(double:--1)
                                        ^)"},
    {"0 0 metric metric=none values=(double:0x-1)", R"(1: expected a number for double, found "0x-1"
  0 0 metric metric=none values=(double:0x-1)
                                        ^)"},
    {"0 0 metric metric=none values=(double:nan0x1)", R"(1: expected a number for double, found "nan0x1"
  0 0 metric metric=none values=(double:nan0x1)
                                        ^)"},
    {"0 0 metric metric=none values=(region:0)", R"(1: region 0 is not defined: there is no region line
  0 0 metric metric=none values=(region:0)
                                        ^)"},

    // lists and texts
    {"0 0 metric metric=none values=uint8:1", R"(1: expected "(" before the elements of values, found "uint8:1"
  0 0 metric metric=none values=uint8:1
                                ^)"},
    {"0 0 metric metric=none values=(uint8:1;uint8:2)", R"(1: expected a number for uint8, found "1;uint8:2"
  0 0 metric metric=none values=(uint8:1;uint8:2)
                                       ^)"},
    {"0 0 metric metric=none values=(uint8:1 uint8:2)",
     R"-(1: expected "," or ")" after an element of values, found "uint8:2"
  0 0 metric metric=none values=(uint8:1 uint8:2)
                                         ^)-"},
    {"0 0 program_begin \"a.out", R"(1: the quoted text is not closed: expected another " on this line
  0 0 program_begin "a.out
                    ^)"},
    {"0 0 program_begin \"a\\q\"",
     R"(1: unknown escape in a text: expected \", \\, \n, \t or \x and two hexadecimal digits
  0 0 program_begin "a\q"
                      ^)"},
    {"0 0 program_begin \"a\\x4\"",
     R"(1: unknown escape in a text: expected \", \\, \n, \t or \x and two hexadecimal digits
  0 0 program_begin "a\x4"
                      ^)"},
    {"0 0 program_begin \"a\"b", R"(1: expected a blank after the quoted text, found "b"
  0 0 program_begin "a"b
                       ^)"},
    {"0 0 program_begin a args=(5)",
     R"(1: expected a text for args, found "5": a text that is not a plain word needs quotes
  0 0 program_begin a args=(5)
                            ^)"},

    // definitions
    {"region name=x", R"(1: expected a number for the index of the region, found "name"
  region name=x
         ^)"},
    {"region 1 name=x",
     R"(1: found region 1, expected region 0: the lines of a table are numbered 0, 1, 2, … in this order
  region 1 name=x
         ^)"},
    {"region 0 name=x rol=function", R"(1: region has no field "rol": did you mean "role"?
  region 0 name=x rol=function
                  ^)"},
    {"parameter 0 colour=red", R"(1: parameter has no field "colour": expected ref, name or type
  parameter 0 colour=red
              ^)"},
    {"comm 0 membres=(0)", R"(1: comm has no field "membres": did you mean "members"?
  comm 0 membres=(0)
         ^)"},
    {"region 0 name=x name=y", R"(1: name is given twice
  region 0 name=x name=y
                  ^)"},
    {"region 0 name", R"(1: expected "=" behind name, found the end of the line
  region 0 name
               ^)"},
    {"region 0 \"x\"", R"(1: expected a field such as name=…, found """
  region 0 "x"
           ^)"},
    {"region 0 begin=4294967296", R"(1: 4294967296 is too large for begin: at most 4294967295
  region 0 begin=4294967296
                 ^)"},
    {"io_file 0 directory=yes", R"(1: expected true or false for directory, found "yes"
  io_file 0 directory=yes
                      ^)"},
    {"call_site 0 entered=3", R"(1: region 3 is not defined: there is no region line
  call_site 0 entered=3
                      ^)"},
    {"process 0 properties=(a:b)", R"-(1: expected "=" between a name and its value in properties, found ")"
  process 0 properties=(a:b)
                           ^)-"},
    {"recorder properties=(a,b)", R"(1: expected "=" between a name and its value in properties, found ","
  recorder properties=(a,b)
                        ^)"},
    {"clock resolution=0", R"(1: the clock's resolution is 0: expected ticks per second
  clock resolution=0
  ^)"},
    {"clock\nclock", R"(2: clock is given twice
  clock
  ^)"},
    {"recorder\nrecorder", R"(2: recorder is given twice
  recorder
  ^)"},

    // communicators by their members
    {"comm 0 members=everybody", R"(1: expected (locations), all or self for members, found "everybody"
  comm 0 members=everybody
                 ^)"},
    {"comm 0 members=(none)", R"(1: none cannot be a member: expected a location
  comm 0 members=(none)
                  ^)"},
    {"location 0\ncomm 0 members=(0,1)", R"(2: location 1 is not defined: the last one is location 0
  comm 0 members=(0,1)
                    ^)"},
    {"process 0\nlocation 0 process=0\nlocation 1 process=0\ncomm 0 members=(1)",
     R"(4: location 1 is not in the comm_locations group of mpi: without a line for that group, it has the first cpu_thread of each process for mpi, else every location
  comm 0 members=(1)
                  ^)"},
    {"group 0\ncomm 0 group=0 members=(0)", R"(2: comm 0 needs either group=… or members=(…)
  comm 0 group=0 members=(0)
                 ^)"},
    {"comm 0 members_b=(0)", R"(1: comm 0 needs either group=… or members=(…)
  comm 0 members_b=(0)
         ^)"},
    {"comm 0 members=(0) members=(0)", R"(1: members is given twice
  comm 0 members=(0) members=(0)
                     ^)"},
};

TEST(NotationErrors, WholeMessages) {
  for (const Case& c : cases) EXPECT_EQ(error_of(c.text), "notation:" + std::string(c.message)) << c.text;
}

TEST(NotationErrors, TheCaretCountsCharactersAndLongLinesAreCut) {
  EXPECT_EQ(error_of("region 0 name=\"é✓\" rol=x\t\n"), R"(notation:1: region has no field "rol": did you mean "role"?
  region 0 name="é✓" rol=x
                     ^)");
  EXPECT_EQ(error_of("\t0\t0 sned", "trace.txt"), R"(trace.txt:1: unknown event type "sned": did you mean "send"?
   0 0 sned
       ^)");
  const std::string a(300, 'a'), b(300, 'b');
  EXPECT_EQ(error_of("0 0 parameter_string parameter=none value=" + a + " tag=1 x=" + b),
            "notation:1: parameter_string has no attribute \"tag\": expected parameter or value\n  …" +
                std::string(99, 'a') + " tag=1 x=" + std::string(52, 'b') + "…\n  " + std::string(101, ' ') + "^");
}

}  // namespace
}  // namespace waitstate::notation
