import { connect } from "node:net";
import { type RawAnswer, readAnswers } from "./read-answers.ts";

/** A connection that stays open and sends one request at a time as bytes. It needs less time than node:http. */
export interface RawClient extends Disposable {
  /** @returns undefined if the connection has ended */
  send(bytes: string): Promise<RawAnswer | undefined>;
}

export async function openRawClient(port: number): Promise<RawClient> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let text = "";
  let isClosed = false;
  let wake = () => {};
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
    wake();
  });
  socket.on("error", () => {});
  socket.once("close", () => {
    isClosed = true;
    wake();
  });
  return {
    send: async (bytes) => {
      text = "";
      socket.write(bytes, "latin1");
      for (;;) {
        const { answers } = readAnswers(text, false);
        if (answers[0] !== undefined || isClosed) return answers[0];
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}
