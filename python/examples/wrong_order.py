"""Receiving messages in wrong order, as the EXPERT paper defines it (Wolf and Mohr, EuroPar 2001, section 4): at every
receive the message queue is asked for older messages to the same target. If there is one, the receiver asked for another
message than the one that had been on its way longest.

    waitstate analyze --full --plugin wrong_order.py TRACE
    python3 wrong_order.py TRACE
"""

import argparse

import waitstate


class MessagesInWrongOrder(waitstate.Pattern):
    """Time of calls that receive a message while an older one for the same receiver is in flight.

    severity    the time of the call; of it, in messages_in_wrong_order_wait, min(E(send), L(recv)) - E(recv) if > 0: the
                wait for the message that was not there yet; E is the enter of the call, L its exit
    charged to  the receiving call, receiver
    state       calls that are not left yet, with the older messages that were queued
    source      Wolf and Mohr, EuroPar 2001, section 4
    differs     what a call of several receives (MPI_Waitall) goes on to receive itself is not in wrong order
    diagnosis   receive messages in the order in which they are sent, or whichever comes first
    """

    parent = "mpi_point2point"
    metrics = [{"id": "messages_in_wrong_order_wait", "parent": "messages_in_wrong_order", "metric_kind": "wait",
                "title": "Late Sender in wrong order", "summary": "What of it is a wait for a message not sent yet."}]
    needs_queue = True

    def init(self) -> None:
        # By the enter of the call: the sends of the messages in wrong order, each with the older ones.
        self.found: dict[int, list[tuple[waitstate.Event, set[int]]]] = {}

    def recv_callback(self, recv: waitstate.Event) -> None:
        if recv["sendptr"] is None or recv["enterptr"] is None:
            return  # its send is not in the trace, or it was recorded outside of all calls
        send = self.trace.event(recv["sendptr"])
        queue = self.trace.queue(dest=send["dest"])
        older = {pos for pos in queue if self.trace.event(pos)["time"] < send["time"]}
        if older:
            self.found.setdefault(recv["enterptr"], []).append((send, older))

    def exit_callback(self, exit: waitstate.Event) -> None:
        found = self.found.pop(exit["enterptr"], ())
        left = [send for send, older in found if not older.isdisjoint(self.trace.queue(dest=send["dest"]))]
        if not left:
            return
        enter = self.trace.event(exit["enterptr"])
        self.add(exit["callpath"], exit["loc"], exit["time"] - enter["time"])
        starts = [self.trace.event(send["enterptr"])["time"] for send in left if send["enterptr"] is not None]
        wait = min(max(starts, default=0), exit["time"]) - enter["time"]
        if wait > 0:
            self.add(exit["callpath"], exit["loc"], wait, metric="messages_in_wrong_order_wait")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Prints the time of calls that receive messages in wrong order.")
    arguments.add_argument("trace", metavar="TRACE", help="an OTF2 archive, or a file in the text notation")
    result = waitstate.analyze(arguments.parse_args().trace, patterns=[MessagesInWrongOrder])
    for metric in ("messages_in_wrong_order", "messages_in_wrong_order_wait"):
        print(f"{metric:30} {result.seconds(result.total(metric)):.6f} s")
