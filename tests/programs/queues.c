/* Message queues with known numbers. In `late` rank 0 sends rank 1 ten eager messages of each of three sizes before a
 * barrier, behind which rank 1 posts their receives, from any source every second time: thirty messages are unexpected.
 * In `early` rank 1 posts twenty receives before a barrier, behind which rank 0 sends: twenty receives wait in their
 * queue. Rank 0 sends the thirty messages by size, and rank 1 takes the largest first: the place in the queue of each
 * message is known. */
#include <mpi.h>

#include "../../include/waitstate/record.h"

enum { each = 10, sizes = 3, posted = 20, greatest = 1024 };

int main(int argc, char** argv) {
  const int size[sizes] = {8, 128, greatest};
  static char buffer[posted][greatest];
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ws_region_begin("late");
  if (rank == 0)
    for (int s = 0; s < sizes; ++s)
      for (int i = 0; i < each; ++i) MPI_Send(buffer[0], size[s], MPI_CHAR, 1, s, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1)
    for (int s = sizes - 1; s >= 0; --s)
      for (int i = 0; i < each; ++i)
        MPI_Recv(buffer[0], greatest, MPI_CHAR, i % 2 ? MPI_ANY_SOURCE : 0, s, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  ws_region_end();
  ws_region_begin("early");
  MPI_Request request[posted];
  if (rank == 1)
    for (int i = 0; i < posted; ++i)
      MPI_Irecv(buffer[i], greatest, MPI_CHAR, 0, 9, MPI_COMM_WORLD, &request[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < posted; ++i) MPI_Send(buffer[0], 8, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
  if (rank == 1) MPI_Waitall(posted, request, MPI_STATUSES_IGNORE);
  ws_region_end();
  MPI_Finalize();
  return 0;
}
