#include "report/words/factors.hpp"

#include "report/facts/ideal_machine.hpp"

namespace waitstate::report {
namespace {

constexpr std::string_view source_of_efficiency =
    "POP project (Performance Optimisation and Productivity), standard metrics for performance audit";
constexpr std::string_view source_of_ideal =
    "POP project, standard metrics, and its multiplicative model of hybrid programs";

}  // namespace

const std::vector<Factor>& factors() {
  static const std::vector<Factor> all = {
      {"parallel_efficiency", "mean computation / run time",
       "Fraction of the run that the processes spent computing on average: load_balance x communication_efficiency.",
       source_of_efficiency, ""},
      {"load_balance", "mean / largest computation",
       "Mean computation of the processes as a fraction of the largest; the rest is lost by waiting for the busiest "
       "process.",
       source_of_efficiency, ""},
      {"communication_efficiency", "largest computation / run time",
       "Fraction of the run that the busiest process spent computing; the rest is lost in MPI, OpenMP and other "
       "libraries.",
       source_of_efficiency, ""},
      {"serialisation_efficiency", "largest time outside of MPI / ideal run time",
       "Efficiency if messages took no time; the rest is lost by waiting for each other, which no network avoids.",
       source_of_ideal, ideal_wait_pattern()},
      {"transfer_efficiency", "ideal run time / run time",
       "Ideal run time, on a network on which messages take no time, as a fraction of the run time; the rest is the "
       "cost of messages.",
       source_of_ideal, ideal_wait_pattern()},
      {"mpi_communication_efficiency", "largest time outside of MPI / run time",
       "Fraction of the run that the process with the longest time outside of MPI spent there: "
       "serialisation_efficiency x transfer_efficiency.",
       source_of_ideal, ideal_wait_pattern()},
      {"mpi_load_balance", "mean / largest time outside of MPI",
       "Mean time of the processes outside of MPI as a fraction of the largest.", source_of_ideal,
       ideal_wait_pattern()},
      {"mpi_parallel_efficiency", "mean time outside of MPI / run time",
       "Fraction of the run that the processes spent outside of MPI on average: mpi_load_balance x "
       "mpi_communication_efficiency.",
       source_of_ideal, ideal_wait_pattern()},
      {"openmp_efficiency", "parallel_efficiency / mpi_parallel_efficiency",
       "Fraction of the time outside of MPI that all threads of a process spent computing on average; 1 for programs "
       "without threads.",
       source_of_ideal, ideal_wait_pattern()},
  };
  return all;
}

}  // namespace waitstate::report
