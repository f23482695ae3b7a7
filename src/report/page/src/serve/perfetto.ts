// Hands a part of the run to Perfetto's page, which its own documentation calls "deep linking": a window is opened with
// it and asked PING until it answers PONG; then it is given the file. The file goes from this tab to that one, and to
// no server. The window has to be opened at the click, before the file is there, or browsers refuse it.
export const perfettoOrigin = "https://ui.perfetto.dev";

const pingTime = 200; // milliseconds
const longestWait = 60_000; // milliseconds

/** Opens the window; throws if the browser does not allow that. */
export function openPerfetto(): Window {
  const opened = window.open(perfettoOrigin);
  if (!opened) throw new Error("the browser does not allow this page to open a window");
  return opened;
}

/** Gives a file to the opened window, as soon as that is ready for it. */
export async function handToPerfetto(opened: Window, file: ArrayBuffer, title: string): Promise<void> {
  await answerOf(opened);
  opened.postMessage({ perfetto: { buffer: file, title } }, perfettoOrigin);
}

function answerOf(opened: Window): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const end = () => {
      clearInterval(timer);
      removeEventListener("message", onMessage);
    };
    const onMessage = ({ source, origin, data }: MessageEvent) => {
      if (source !== opened || origin !== perfettoOrigin || data !== "PONG") return;
      end();
      resolve();
    };
    const timer = setInterval(() => {
      if (!opened.closed && performance.now() - begin < longestWait) return opened.postMessage("PING", perfettoOrigin);
      end();
      reject(new Error(opened.closed ? "the window was closed" : `${perfettoOrigin} does not answer`));
    }, pingTime);
    addEventListener("message", onMessage);
  });
}
