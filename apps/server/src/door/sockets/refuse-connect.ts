import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { requestQueueOf } from "../admission/request-queue.ts";
import { type SendProblemOptions, sendProblemAndClose } from "./send-problem-and-close.ts";

/** Answers CONNECT, which Node passes to no other listener. The server is not a proxy. */
export function refuseConnect(options: SendProblemOptions): (request: IncomingMessage, socket: Duplex) => void {
  const detail = "The server is not a proxy and does not support CONNECT. Send GET, POST, PUT or DELETE.";
  return (_request, socket) => {
    socket.on("error", () => socket.destroy());
    const answer = () => sendProblemAndClose(socket, { code: "CONNECT", detail }, options);
    const queue = requestQueueOf(socket);
    if (queue === undefined) answer();
    else queue.whenAllAnswered(answer);
  };
}
