import { once } from "node:events";
import { connect } from "node:net";
import { AnswerReader } from "./answer-reader.ts";

export interface CallerOptions {
  readonly url: URL;
  readonly nextRequest: () => string;
  /** Called with each answer. @returns after how many milliseconds to send another request, or undefined to stop */
  readonly onAnswer: (status: number, milliseconds: number) => number | undefined;
}

/** Sends requests over one connection, each when the answer to the one before is complete. */
export async function runCaller({ url, nextRequest, onAnswer }: CallerOptions): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  socket.setNoDelay(true);
  await once(socket, "connect");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const reader = new AnswerReader();
  let sentAtMs = 0;
  const send = () => {
    sentAtMs = performance.now();
    socket.write(nextRequest(), "latin1");
  };
  socket.on("data", (chunk) => {
    const status = reader.read(chunk);
    if (status === undefined) return;
    const pauseMs = onAnswer(status, performance.now() - sentAtMs);
    if (pauseMs === 0) return send();
    if (pauseMs !== undefined) return void setTimeout(send, pauseMs);
    resolve();
    socket.destroy();
  });
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("The server closed a connection before it answered.")));
  send();
  await promise;
}
