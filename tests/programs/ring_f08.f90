! The calls of ring.c through `use mpi_f08`.
program ring
  use mpi_f08
  implicit none
  integer :: rank, size, from
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(MPI_Comm) :: half
  double precision :: total, in(8), out(8)
  total = 1
  in = 0
  out = 0
  from = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Sendrecv(out, 8, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 1, in, 8, MPI_DOUBLE_PRECISION, &
                    mod(rank + size - 1, size), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Irecv(in, 8, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(out, 8, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 2, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  if (rank == 0) call MPI_Send(out, 4, MPI_DOUBLE_PRECISION, 1, 3, MPI_COMM_WORLD)
  if (rank == 1) then
    call MPI_Recv(in, 8, MPI_DOUBLE_PRECISION, 0, MPI_ANY_TAG, MPI_COMM_WORLD, status)
    if (status%MPI_TAG /= 3) call MPI_Abort(MPI_COMM_WORLD, 1)
  end if
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (nint(total) /= size) call MPI_Abort(MPI_COMM_WORLD, 2)
  call MPI_Bcast(from, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
  call MPI_Barrier(half)
  call MPI_Comm_free(half)
  call MPI_Finalize()
end program
