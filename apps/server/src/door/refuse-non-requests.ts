import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import { AppError, toProblemDetails } from "@siteward/service";
import type { Logger } from "pino";
import { endConnection } from "./drain.ts";
import { turnsOf } from "./in-turn.ts";
import type { RequestMeter } from "./request-log.ts";

interface RefusalOptions {
  readonly baseUrl: string;
  readonly logger: Logger;
  readonly meter?: RequestMeter | undefined;
  readonly timeouts: { readonly headersMs: number; readonly requestMs: number };
}

/**
 * Answers what never reaches the application with problem details like every other error: bytes that are not an HTTP
 * request, requests that arrive too late, and CONNECT, which Node passes to no other listener. Earlier requests on the
 * connection are answered first. Then the connection ends.
 */
export function refuseNonRequests(server: Server, options: RefusalOptions): void {
  const details = describeErrors(options.timeouts);
  const ending = new WeakSet<Duplex>();
  server.on("clientError", ({ code = "" }: Error & { code?: string }, socket: Duplex) => {
    // Node reports every piece of data that comes after the first fault. If the connection were destroyed, it would be
    // reset and the client could lose its answer. It ends after two seconds at most.
    if (ending.has(socket)) return;
    if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    ending.add(socket);
    const answer = () => sendProblemAndClose(socket, code, details[code] ?? notHttp, options);
    const turns = turnsOf.get(socket);
    if (turns === undefined) answer();
    else turns.onFault(answer);
  });
  server.on("connect", (_request, socket: Duplex) => {
    socket.on("error", () => socket.destroy());
    const answer = () => sendProblemAndClose(socket, "CONNECT", notAProxy, options);
    const turns = turnsOf.get(socket);
    if (turns === undefined) answer();
    else turns.whenAllAnswered(answer);
  });
}

const notHttp = "The request is not valid HTTP/1.1. Send a valid request.";
const notAProxy = "The server is not a proxy and does not support CONNECT. Send GET, POST, PUT or DELETE.";

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

/** Sends problem details on a connection that has no request to answer, and ends the connection. */
function sendProblemAndClose(socket: Duplex, code: string, detail: string, options: RefusalOptions): void {
  const { baseUrl, logger, meter } = options;
  const requestId = randomUUID();
  const error = new AppError("malformed_request", detail);
  const problem = toProblemDetails(error, { baseUrl, requestId });
  logger.info({ request_id: requestId, code, status: problem.status }, error.message);
  meter?.refused(error.reason);
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} Bad Request`,
    "Content-Type: application/problem+json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Connection: close",
  ];
  endConnection(socket, `${head.join("\r\n")}\r\n\r\n${body}`);
}
