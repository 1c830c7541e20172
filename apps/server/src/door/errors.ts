import {
  AppError,
  errorHeaders,
  isForOperator,
  maxBodyBytes,
  pathNotReadable,
  type RefusalReason,
  toProblemDetails,
} from "@siteward/service";
import type { Response } from "express";
import type { Logger } from "pino";
import { lingerMs } from "./drain.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import type { RequestMeter } from "./request-log.ts";
import { type Answer, bodyEncoding, send, writeHead } from "./send.ts";

/**
 * Turns every error that was thrown for a request into its response. Any error that is no `AppError` is answered as
 * `internal`, and only the log says what it was.
 */
export function errorHandler(logger: Logger, meter?: RequestMeter): (thrown: unknown, exchange: Exchange) => void {
  const logFailure = createFailureLog(logger);
  return (thrown, exchange) => {
    const error = toAppError(thrown);
    const { id: requestId, response, answerHeaders } = exchange;
    logFailure(error, requestId);
    meter?.refused(error.reason);
    exchange.refuse(error.reason);
    if (response.headersSent) return void response.destroy();
    const problem = toProblemDetails(error, { baseUrl: exchange.baseUrl(), requestId });
    for (const [name, value] of Object.entries(errorHeaders(error))) answerHeaders.push(name, value);
    const content = { type: "application/problem+json; charset=utf-8", body: JSON.stringify(problem) };
    // An error that ends the connection is one whose request has a body that is not read.
    const respond = error.facts.connection === "close" ? respondWithoutReadingBody : send;
    respond(response, { status: problem.status, content });
  };
}

/** How long the log is silent after it has said that the database is read-only, or that it denies the server a right. */
const refusalLogMs = 5_000;

function createFailureLog(logger: Logger): (error: AppError, requestId: string) => void {
  const loggedMs = new Map<RefusalReason, number>();
  return (error, requestId) => {
    const { code, reason, cause, message } = error;
    // A refusal without a cause, such as that of a full queue, is not a failure. A flood of them must not fill the log.
    if (code !== "internal" && (code !== "unavailable" || cause === undefined)) return;
    if (!isForOperator(error)) return logger.error({ err: cause ?? error, request_id: requestId }, message);
    // Each request has the same reason until the operator acts, and no line of the program is at fault.
    const nowMs = performance.now();
    if (nowMs - (loggedMs.get(reason) ?? Number.NEGATIVE_INFINITY) < refusalLogMs) return;
    loggedMs.set(reason, nowMs);
    logger.error({ request_id: requestId, reason: cause instanceof Error ? cause.message : undefined }, message);
  };
}

function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  // Express throws this for a path whose percent-encoding is broken: no record has such an ID.
  if (thrown instanceof URIError) return pathNotReadable();
  return new AppError("internal", "The service failed to answer this request.", { cause: thrown });
}

/**
 * Answers a request whose body is not read to its end. This is the last response on the connection, and its headers say
 * so. The connection stays open until the client closes it, but for at most two seconds. If the server closed it while
 * the client still sends, it would be reset and the client could lose the response (RFC 9112, section 9.6). What
 * arrives in that time is dropped, up to the length of the largest body: 1,000 refused bodies would otherwise keep 64
 * MB in memory. Once the body has arrived, nothing is to be waited for.
 */
function respondWithoutReadingBody(response: Response, answer: Answer): void {
  const { req: request } = response;
  let droppedBytes = 0;
  request.on("data", (chunk: Buffer) => {
    droppedBytes += chunk.length;
    if (droppedBytes >= maxBodyBytes) request.pause();
  });
  if (request.complete) return void send(response, answer);
  request.once("end", () => response.end());
  // The answer is complete, except for its end.
  exchangeOf(request).endAnswer();
  const body = writeHead(response, answer);
  if (body !== undefined) response.write(body, bodyEncoding);
  const timer = setTimeout(() => response.end(), lingerMs);
  response.once("close", () => clearTimeout(timer));
}
