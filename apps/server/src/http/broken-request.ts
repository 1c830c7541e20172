import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import { AppError } from "../errors/app-error.ts";
import { problemOf } from "./problem-of.ts";

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "The headers are larger than 16 KiB.",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "The chunk extensions are too large.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time.",
};

/** Answers what is not an HTTP request, which never reaches the application, with a problem like every other error. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const detail = reasons[error.code ?? ""] ?? "This is not a well-formed HTTP/1.1 request.";
  const problem = problemOf(new AppError("malformed_request", detail), { baseUrl: "", requestId });
  const body = JSON.stringify(problem);
  socket.end(
    [
      "HTTP/1.1 400 Bad Request",
      "Content-Type: application/problem+json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
