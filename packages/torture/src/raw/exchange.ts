import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { get } from "./raw-case.ts";
import { type RawAnswer, readAnswers } from "./read-answers.ts";

/** What one connection returned. */
export interface Exchanged {
  readonly answers: readonly RawAnswer[];
  /** The bytes after the last complete answer. */
  readonly rest: string;
  /** Whether the server ended the connection. */
  readonly hasEnded: boolean;
  /** Time from the last byte of the request to the first complete answer; undefined without one. */
  readonly firstAnswerMs: number | undefined;
  /** Time from the last answer to the end of the connection, or until the client gave up. */
  readonly endMs: number;
}

export interface ExchangeOptions {
  readonly port: number;
  /** The pieces of the request, with a pause between them. */
  readonly pieces: readonly string[];
  /** How many answers are expected. */
  readonly count: number;
  /** What must follow them: the end of the connection, silence, or the answer to one more request. */
  readonly after: "end" | "silence" | "further";
}

/** The longest time for the first answers, and the longest time until the server ends a connection that it must end. */
const answerTimeoutMs = 5_000;
const endTimeoutMs = 3_000;

/** If nothing arrives in this time, the server waits for the rest of a request. */
const silenceMs = 300;
const pauseMs = 5;
const furtherRequest = get("/healthz", "X-Request-Id: further");

/** Sends a request byte for byte on its own connection, and collects what comes back. */
export async function exchange({ port, pieces, count, after }: ExchangeOptions): Promise<Exchanged> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const isHead = pieces.join("").startsWith("HEAD ");
  let text = "";
  let hasEnded = false;
  let lastAtMs = performance.now();
  let wake = () => {};
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
    lastAtMs = performance.now();
    wake();
  });
  socket.on("error", () => {});
  for (const event of ["end", "close"] as const) {
    socket.once(event, () => {
      hasEnded = true;
      wake();
    });
  }
  /** Waits until `wanted` answers have arrived, or the connection has ended. */
  const waitFor = async (wanted: number, timeoutMs: number) => {
    const stop = AbortSignal.timeout(timeoutMs);
    while (!hasEnded && !stop.aborted && readAnswers(text, isHead).answers.length < wanted) {
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
  const sentAtMs = performance.now();
  await waitFor(Math.min(1, count), answerTimeoutMs);
  const { answers: first } = readAnswers(text, isHead);
  const firstAnswerMs = first.length > 0 ? performance.now() - sentAtMs : undefined;
  await waitFor(count, answerTimeoutMs);
  if (after === "further" && !hasEnded) {
    socket.write(furtherRequest);
    await waitFor(count + 1, answerTimeoutMs);
  } else {
    await waitFor(Number.POSITIVE_INFINITY, after === "end" ? endTimeoutMs : silenceMs);
  }
  const endMs = performance.now() - lastAtMs;
  socket.destroy();
  return { ...readAnswers(text, isHead), hasEnded, firstAnswerMs, endMs };
}
