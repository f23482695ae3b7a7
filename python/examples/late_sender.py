"""Late Sender as the EXPERT paper presents it (Wolf and Mohr, EuroPar 2001, figure 1): a receive waits because its message
has not been sent yet. The class sees receives and follows their links; it keeps a sum of its own. What is not in the
paper: links that lead nowhere are None, since a trace may lack a send or the call around it.

    waitstate analyze --plugin late_sender.py TRACE
    python3 late_sender.py TRACE
"""

import argparse

import waitstate


class BlockingLateSender(waitstate.Pattern):
    """Time that MPI_Recv waits for messages that MPI_Send has not sent yet.

    severity    E(send) - E(recv) if > 0, of blocking sends and receives; E is the enter of the call
    charged to  nobody: one sum, shown in the first call path of the first location
    source      Wolf and Mohr, EuroPar 2001, figure 1
    diagnosis   the sender is late: balance the work before its send, or start the send earlier
    """

    def init(self) -> None:
        self.sum_idle_time = 0

    def recv_callback(self, recv: waitstate.Event) -> None:
        if recv["sendptr"] is None or recv["enterptr"] is None:
            return  # its send is not in the trace, or it was recorded outside of all calls
        recv_start = self.trace.event(recv["enterptr"])
        send = self.trace.event(recv["sendptr"])
        if send["enterptr"] is None:
            return
        send_start = self.trace.event(send["enterptr"])
        idle_time = send_start["time"] - recv_start["time"]
        if idle_time > 0 and send_start["region"] == "MPI_Send" and recv_start["region"] == "MPI_Recv":
            self.sum_idle_time += idle_time

    def confidence(self) -> float:
        return 1

    def severity(self) -> int:
        return self.sum_idle_time


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Prints how long MPI_Recv waited for MPI_Send.")
    arguments.add_argument("trace", metavar="TRACE", help="an OTF2 archive, or a file in the text notation")
    pattern = BlockingLateSender()
    result = waitstate.analyze(arguments.parse_args().trace, patterns=[pattern])
    print(f"{pattern.severity()} ticks, {result.seconds(pattern.severity()):.6f} s")
