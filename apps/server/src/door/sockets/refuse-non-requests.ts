import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Problem } from "@siteward/contract";
import { AppError, toProblemDetails } from "@siteward/service";
import type { Logger } from "pino";
import type { Exchange } from "../admission/exchange.ts";
import type { RequestMeter } from "../admission/request-meter.ts";
import { type RequestQueue, requestQueueOf } from "../admission/request-queue.ts";
import { endConnection } from "../http/end-connection.ts";

interface RefusalOptions {
  readonly baseUrl: string;
  readonly logger: Logger;
  /** Undefined if nothing is measured. */
  readonly meter?: RequestMeter | undefined;
  readonly timeouts: { readonly headersMs: number; readonly requestMs: number };
}

/** What is wrong with what a client sent: the code of Node's error, and the text of the answer. */
interface Fault {
  readonly code: string;
  readonly detail: string;
}

/**
 * Answers what never reaches the application with problem details like every other error: bytes that are not an HTTP request,
 * requests that arrive too late, and CONNECT, which Node passes to no other listener. Earlier requests on the connection are
 * answered first. Then the connection ends.
 */
export function refuseNonRequests(server: Server, options: RefusalOptions): void {
  server.on("clientError", answerClientError(options));
  server.on("connect", (_request, socket: Duplex) => {
    socket.on("error", () => socket.destroy());
    const answer = () => sendProblemAndClose(socket, notAProxy, options);
    const queue = requestQueueOf(socket);
    if (queue === undefined) answer();
    else queue.whenAllAnswered(answer);
  });
}

const notAProxy: Fault = {
  code: "CONNECT",
  detail: "The server is not a proxy and does not support CONNECT. Send GET, POST, PUT or DELETE.",
};

function answerClientError(options: RefusalOptions): (error: Error & { code?: string }, socket: Duplex) => void {
  const reasons = describeErrors(options.timeouts);
  const ending = new WeakSet<Duplex>();
  return ({ code = "" }, socket) => {
    // Node reports every piece of data that comes after the first fault. If the connection were destroyed, it would be
    // reset and the client could lose its answer. It ends after two seconds at most.
    if (ending.has(socket)) return;
    if (code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    ending.add(socket);
    const detail = reasons[code] ?? "The request is not valid HTTP/1.1. Send a valid request.";
    const answer = () => sendProblemAndClose(socket, { code, detail }, options);
    const queue = requestQueueOf(socket);
    if (queue?.latest === undefined) answer();
    else if (!queue.latest.request.complete) answerInsteadOf(queue.latest, { socket, queue, answer });
    else if (queue.lastUnanswered === undefined) answer();
    else {
      options.logger.info(
        { code },
        "A client sent bytes that are not a request. Its connection closes after the response.",
      );
      endAfter(queue.lastUnanswered, { socket, queue });
    }
  };
}

/** Says what is wrong with the request, by the code of Node's error. */
function describeErrors({ headersMs, requestMs }: RefusalOptions["timeouts"]): Readonly<Record<string, string>> {
  return {
    HPE_INVALID_URL:
      "The URL of the request is not valid. Percent-encode all characters but visible ASCII, such as `ü` as `%C3%BC`. " +
      "curl does that for a parameter with -G --data-urlencode.",
    HPE_HEADER_OVERFLOW: "The headers are larger than 16 KiB. Send smaller headers.",
    HPE_CHUNK_EXTENSIONS_OVERFLOW: "The chunk extensions are too large. Send chunks without extensions.",
    ERR_HTTP_REQUEST_TIMEOUT:
      "The request did not arrive in time. " +
      `Send the headers within ${headersMs / 1000} seconds and the entire request within ${requestMs / 1000}.`,
  };
}

function endAfter({ response }: Exchange, { socket, queue }: { socket: Duplex; queue: RequestQueue }): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
  queue.whenAllAnswered(() => endConnection(socket));
}

/** Answers a fault in the body of the latest request, which may already have its response, such as a 401. */
function answerInsteadOf(
  latest: Exchange,
  { socket, queue, answer }: { socket: Duplex; queue: RequestQueue; answer: () => void },
): void {
  if (latest.response.headersSent) endConnection(socket);
  else if (queue.remove(latest)) queue.whenAllAnswered(answer);
  else answer();
}

/** Sends problem details on a connection that has no request to answer, and ends the connection. */
function sendProblemAndClose(
  socket: Duplex,
  { code, detail }: Fault,
  { baseUrl, logger, meter }: RefusalOptions,
): void {
  const requestId = randomUUID();
  const error = new AppError("malformed_request", detail);
  const problem = toProblemDetails(error, { baseUrl, requestId });
  logger.info({ request_id: requestId, code, status: problem.status }, error.message);
  meter?.refused(error.reason);
  endConnection(socket, renderAnswer(problem));
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
