// Offers the part of the run that the timeline shows as a file for Perfetto, and says what goes where before it goes.
import { useEffect, useRef, useState } from "preact/hooks";
import type { TimeRange } from "../state/time_range";
import { visible } from "../text/visible_names";
import { saveFile } from "./downloads";
import { handToPerfetto, openPerfetto, perfettoOrigin } from "./perfetto";
import type { ServeStore } from "./serve_store";

interface PerfettoDialogueProps {
  store: ServeStore;
  part: TimeRange;
  onClose: () => void;
}

export function PerfettoDialogue({ store, part, onClose }: PerfettoDialogueProps) {
  const { clock, server, trace } = store;
  const dialogue = useRef<HTMLDialogElement>(null);
  const [progress, setProgress] = useState("");
  const [error, setError] = useState("");
  useEffect(() => dialogue.current!.showModal(), []);
  const close = () => dialogue.current!.close();
  const [from, to] = part.map((time) => clock.secondsFromStart(time).toFixed(9));
  const file = () => server.blob(`export.pftrace?from=${from}&to=${to}`);
  const attempt = async (text: string, action: () => Promise<void>) => {
    setError("");
    setProgress(text);
    try {
      await action();
      close();
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
    setProgress("");
  };
  const open = () =>
    attempt("The file is being made; then it is handed to the new window\u2026", async () => {
      const opened = openPerfetto();
      const buffer = await (await file()).arrayBuffer();
      await handToPerfetto(opened, buffer, `${visible(trace.file)} from ${from} s to ${to} s`);
      store.announce("Perfetto has the timeline");
    });
  const download = () =>
    attempt("The file is being made\u2026", async () => {
      saveFile(await file(), "part.pftrace");
      store.announce("part.pftrace has been downloaded");
    });
  return (
    <dialog ref={dialogue} id="perfetto" aria-labelledby="perfetto-title" onClose={onClose}>
      <h2 id="perfetto-title">The timeline in Perfetto</h2>
      <p>
        {`From ${clock.timeText(part[0])} to ${clock.timeText(part[1])}, all locations, with the wait states ` +
          "that are on by default: the file of waitstate export."}
      </p>
      {!trace.offline && (
        <p>
          {`"Open in Perfetto" opens ${perfettoOrigin}, a page from the internet, in another window of this ` +
            "browser, and hands it this file: the names of functions, processes and computers, times and messages " +
            "of the program. The server of this page sends nothing there."}
        </p>
      )}
      {error !== "" && (
        <p class="error" role="alert">
          {visible(error)}
        </p>
      )}
      {progress !== "" && <p aria-busy="true">{progress}</p>}
      <div class="tools">
        {!trace.offline && (
          <button id="open-perfetto" class="main" disabled={progress !== ""} onClick={() => void open()}>
            Open in Perfetto
          </button>
        )}
        <button id="save-perfetto" disabled={progress !== ""} onClick={() => void download()}>
          Download the file
        </button>
        <button onClick={close}>Cancel</button>
      </div>
    </dialog>
  );
}
