// FOLDER: the folder of a run, which processes make or find when their recording begins.
//
// Where all processes begin together, as in MPI_Init, one of them makes FOLDER/parts and tells the others. Where each
// begins by itself, as with MPI_Session_init, nobody can be asked: whoever comes first makes FOLDER/parts, with a file
// that says to which job it belongs, and the others of the job join it.
#pragma once

#include <cstdint>
#include <string>

namespace waitstate::record {

/// FOLDER: the one that is given, or one that is named after this program and the time.
std::string folder_of_run();

/// Makes FOLDER/parts, and FOLDER, which must not exist unless `record` has made it for this run. If another program of
/// the run is recorded in it already, `folder` becomes FOLDER/program-2, and so on: what is inside of FOLDER is the
/// run's own. An empty text, or what went wrong.
std::string make_folder(std::string& folder);

/// Like make_folder(), but joins a folder that another process of this job has made and that has no part of this rank.
std::string join_folder(std::string& folder, std::uint64_t rank);

}  // namespace waitstate::record
