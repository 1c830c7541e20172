import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { Problem } from "@siteward/contract";
import { AppError, toProblemDetails } from "@siteward/service";
import type { Logger } from "pino";
import { endConnection } from "../http/end-connection.ts";

export interface SendProblemOptions {
  readonly baseUrl: string;
  readonly logger: Logger;
}

/** Sends problem details on a connection that has no request to answer, and ends the connection. */
export function sendProblemAndClose(
  socket: Duplex,
  { code, detail }: { code: string; detail: string },
  { baseUrl, logger }: SendProblemOptions,
): void {
  const requestId = randomUUID();
  const error = new AppError("malformed_request", detail);
  logger.info({ request_id: requestId, code, status: error.status }, error.message);
  endConnection(socket, renderAnswer(toProblemDetails(error, { baseUrl, requestId })));
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
