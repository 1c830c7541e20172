import { setTimeout as sleep } from "node:timers/promises";
import { openConnection } from "@siteward/testing/raw-connection";
import { type ReceivedAnswer, splitAnswers } from "@siteward/testing/split-answers";
import { patienceMs } from "../patience.ts";
import { type Expected, get } from "./raw-requests.ts";

/** What one connection returned. */
export interface Exchanged {
  /** In the form of what was expected. */
  readonly got: Expected;
  readonly answers: readonly ReceivedAnswer[];
  /** The bytes after the last complete answer. */
  readonly rest: string;
}

/** If nothing arrives in this time, the server waits for the rest of a request. */
const silenceMs = 300;
const pauseMs = 5;
const furtherRequest = get("/healthz", "X-Request-Id: further");

/** Sends pieces byte for byte on a connection of their own, with a pause between them, and collects what comes back. */
export async function exchange(port: number, pieces: readonly string[], expected: Expected): Promise<Exchanged> {
  const socket = await openConnection(`http://127.0.0.1:${port}`);
  const isHead = pieces.join("").startsWith("HEAD ");
  let text = "";
  let hasEnded = false;
  let wake = () => {};
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
    wake();
  });
  socket.setNoDelay().on("error", () => {});
  for (const event of ["end", "close"] as const) {
    socket.once(event, () => {
      hasEnded = true;
      wake();
    });
  }
  const read = () => splitAnswers(text, isHead);
  /** Waits until this many answers have arrived, or the connection has ended. */
  const waitFor = async (count: number, timeoutMs = patienceMs) => {
    const stop = AbortSignal.timeout(timeoutMs);
    while (!hasEnded && !stop.aborted && read().answers.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      stop.addEventListener("abort", () => resolve());
      await promise;
    }
  };
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await sleep(pauseMs);
    socket.write(piece, "latin1");
  }
  const count = expected.filter((part) => typeof part === "number").length;
  await waitFor(count);
  const saysEnd = read().answers.some(({ headers }) => headers.get("connection") === "close");
  if (saysEnd || expected.includes("end")) await waitFor(Number.POSITIVE_INFINITY);
  else if (expected.includes("waits")) await waitFor(Number.POSITIVE_INFINITY, silenceMs);
  else {
    socket.write(furtherRequest);
    await waitFor(count + 1);
  }
  socket.destroy();
  const { answers, rest } = read();
  const isServed = answers.at(-1)?.headers.get("x-request-id") === "further";
  const statuses = answers.slice(0, isServed ? -1 : undefined).map(({ status }) => status);
  return { got: isServed ? statuses : [...statuses, hasEnded ? "end" : "waits"], answers, rest };
}
