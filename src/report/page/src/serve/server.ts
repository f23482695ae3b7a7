// Asks the server (src/serve/README.md has its answers). Each request carries the token that the address of the page
// had when it was opened. The token is taken out of the address at once, and kept for this tab, so that the page can be
// loaded again.
import { PageError, type Bytes } from "../data/sections";
import type { WaitsFor } from "./server_types";

/** The answer is there later; the message says what the server is doing. */
export class NotYet extends PageError {}

const tokenName = "token";

export class Server {
  private token = sessionStorage.getItem(tokenName) ?? "";

  /** Takes the token of an address; false if it has none. */
  takeToken(parts: [string, string][]): boolean {
    const found = parts.find(([name]) => name === tokenName)?.[1];
    if (!found) return false;
    this.token = found;
    sessionStorage.setItem(tokenName, found);
    return true;
  }

  async json<T>(path: string, body?: unknown, method = body === undefined ? "GET" : "POST"): Promise<T> {
    const response = await this.request(path, body, method);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }
  /** Throws NotYet if the server has to prepare the answer first. */
  async bytes(path: string): Promise<Bytes> {
    const response = await this.request(path);
    if (response.status === 202) throw new NotYet(((await response.json()) as WaitsFor).waits_for);
    return new Uint8Array(await response.arrayBuffer());
  }
  async text(path: string): Promise<string> {
    return (await this.request(path)).text();
  }
  async blob(path: string): Promise<Blob> {
    return (await this.request(path)).blob();
  }
  /** Calls `take` for each line of JSON while the answer arrives. */
  async lines<T>(path: string, take: (line: T) => void): Promise<void> {
    const { body } = await this.request(path);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (value ?? "")).split("\n");
      rest = done ? "" : lines.pop()!;
      for (const line of lines) if (line.trim() !== "") take(JSON.parse(line) as T);
      if (done) return;
    }
  }

  private async request(path: string, body?: unknown, method = "GET"): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.token}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response: Response;
    try {
      response = await fetch(`/api/${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      throw new PageError("The server does not answer: waitstate serve has ended, or runs on another port.");
    }
    if (response.ok) return response;
    if (response.status === 401)
      throw new PageError("This page does not know the token: open the address that waitstate serve has printed.");
    throw new PageError(await errorOf(response));
  }
}

async function errorOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: unknown };
    if (typeof error === "string") return error;
  } catch {
    // The answer is not JSON.
  }
  return `The server answers ${response.status} ${response.statusText}.`;
}

/** The text of an error that a request threw. */
export const requestErrorText = (error: unknown): string =>
  error instanceof PageError ? error.message : `The request failed: ${String(error)}`;
