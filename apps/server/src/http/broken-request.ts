import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Problem } from "@siteward/contract";
import type { Logger } from "pino";
import { AppError } from "../errors/app-error.ts";
import { endConnection } from "./end-connection.ts";
import { type Exchange, type Turns, turnsOf } from "./in-turn.ts";
import { problemOf } from "./problem-of.ts";

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "The headers are larger than 16 KiB.",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "The chunk extensions are too large.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time.",
};

interface BrokenRequestOptions {
  readonly baseUrl: string;
  readonly logger: Logger;
}

type ClientErrorListener = (error: Error & { code?: string }, socket: Duplex) => void;

/**
 * Answers what is not an HTTP request, which never reaches the application, with a problem like every other error. Requests
 * that came before it on the connection get their own answers first. Then the connection ends.
 */
export function answerBrokenRequest(options: BrokenRequestOptions): ClientErrorListener {
  const ending = new WeakSet<Duplex>();
  return ({ code = "" }, socket) => {
    // Node reports every piece of data that comes after the first fault. To destroy the connection would reset it, and the
    // client could lose its answer; it is ended after two seconds at most.
    if (ending.has(socket)) return;
    if (code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    ending.add(socket);
    const detail = reasons[code] ?? "This is not a well-formed HTTP/1.1 request.";
    const answer = () => sendProblem(socket, { code, detail }, options);
    const turns = turnsOf(socket);
    if (turns?.latest === undefined) answer();
    else if (!turns.latest.request.complete) answerInsteadOf(turns.latest, { socket, turns, answer });
    else if (turns.lastUnanswered === undefined) answer();
    else {
      options.logger.info({ code }, "A client sent more than its request; its connection ends after the answer.");
      endAfter(turns.lastUnanswered, { socket, turns });
    }
  };
}

function endAfter({ response }: Exchange, { socket, turns }: { socket: Duplex; turns: Turns }): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
  turns.whenAllAnswered(() => endConnection(socket));
}

/** The fault is in the body of the latest request, which may have its answer already: a 401, for example. */
function answerInsteadOf(
  latest: Exchange,
  { socket, turns, answer }: { socket: Duplex; turns: Turns; answer: () => void },
): void {
  if (latest.response.headersSent) endConnection(socket);
  else if (turns.remove(latest)) turns.whenAllAnswered(answer);
  else answer();
}

/** Answers CONNECT, which Node gives to nobody else: the server is no proxy. */
export function refuseConnect(options: BrokenRequestOptions): (request: IncomingMessage, socket: Duplex) => void {
  const detail = "The server is no proxy: it does not take CONNECT.";
  return (_request, socket) => {
    socket.on("error", () => socket.destroy());
    const answer = () => sendProblem(socket, { code: "CONNECT", detail }, options);
    const turns = turnsOf(socket);
    if (turns === undefined) answer();
    else turns.whenAllAnswered(answer);
  };
}

function sendProblem(
  socket: Duplex,
  { code, detail }: { code: string; detail: string },
  { baseUrl, logger }: BrokenRequestOptions,
): void {
  const requestId = randomUUID();
  const error = new AppError("malformed_request", detail);
  logger.info({ request_id: requestId, code, status: error.status }, error.message);
  endConnection(socket, renderAnswer(problemOf(error, { baseUrl, requestId })));
}

function renderAnswer(problem: Problem): string {
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${problem.status} Bad Request`,
    "Content-Type: application/problem+json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${problem.request_id}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
