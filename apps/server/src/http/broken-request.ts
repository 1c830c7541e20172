import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { Problem } from "@siteward/contract";
import type { Logger } from "pino";
import { AppError } from "../errors/app-error.ts";
import { problemOf } from "./problem-of.ts";

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "The headers are larger than 16 KiB.",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "The chunk extensions are too large.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time.",
};

type ClientErrorListener = (error: Error & { code?: string }, socket: Duplex) => void;

/** Answers what is not an HTTP request, which never reaches the application, with a problem like every other error. */
export function answerBrokenRequest({ baseUrl, logger }: { baseUrl: string; logger: Logger }): ClientErrorListener {
  return ({ code = "" }, socket) => {
    if (code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const error = new AppError("malformed_request", reasons[code] ?? "This is not a well-formed HTTP/1.1 request.");
    logger.info({ request_id: requestId, code, status: error.status }, error.message);
    socket.end(renderAnswer(problemOf(error, { baseUrl, requestId })));
  };
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
