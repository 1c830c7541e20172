import { AppError, fromStorageError, pathNotReadable, StorageError, toProblemDetails } from "@siteward/service";
import type { ErrorRequestHandler } from "express";
import type { Logger } from "pino";
import { baseUrlOf } from "./base-url.ts";
import { requestIdOf } from "./request-id.ts";
import { respondWithoutReadingBody } from "./respond-without-reading-body.ts";
import { addHeader, send } from "./send.ts";

/**
 * Turns every error that was thrown for a request into its response. A `StorageError` becomes an `AppError` first. Any error
 * that has no answer of its own is answered as `internal`, and only the log says what it was.
 */
export function errorHandler(options: { logger: Logger; publicUrl: string | undefined }): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (thrown: unknown, request, response, _next) => {
    const error = toAppError(thrown);
    const requestId = requestIdOf(request);
    // A refusal without a cause, such as that of a full queue, is not a failure. A flood of them must not fill the log.
    if (error.status >= 500 && (error.code !== "unavailable" || error.cause !== undefined))
      options.logger.error({ err: error.cause ?? error, request_id: requestId }, error.message);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const problem = toProblemDetails(error, { baseUrl: baseUrlOf(request, options.publicUrl), requestId });
    for (const [name, value] of Object.entries(error.headers)) addHeader(response, name, value);
    const content = { type: "application/problem+json; charset=utf-8", body: JSON.stringify(problem) };
    // An error that ends the connection is one whose request has a body that is not read.
    const respond = error.headers["Connection"] === "close" ? respondWithoutReadingBody : send;
    respond(response, { status: problem.status, content });
  };
}

function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof StorageError) return fromStorageError(thrown);
  // Express throws this for a path whose percent-encoding is broken: no record has such an ID.
  if (thrown instanceof URIError) return pathNotReadable();
  return new AppError("internal", "The service failed to answer this request.", { cause: thrown });
}
