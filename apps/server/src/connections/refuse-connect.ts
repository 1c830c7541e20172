import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { turnsOf } from "./in-turn.ts";
import { type RawProblemOptions, sendRawProblem } from "./raw-problem.ts";

/** Answers CONNECT, which Node gives to nobody else: the server is no proxy. */
export function refuseConnect(options: RawProblemOptions): (request: IncomingMessage, socket: Duplex) => void {
  const detail = "The server is no proxy: it does not take CONNECT.";
  return (_request, socket) => {
    socket.on("error", () => socket.destroy());
    const answer = () => sendRawProblem(socket, { code: "CONNECT", detail }, options);
    const turns = turnsOf(socket);
    if (turns === undefined) answer();
    else turns.whenAllAnswered(answer);
  };
}
