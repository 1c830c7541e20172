import type { Duplex } from "node:stream";
import { type Exchange, type RequestQueue, requestQueueOf } from "../admission/request-queue.ts";
import { endConnection } from "../http/end-connection.ts";
import { type SendProblemOptions, sendProblemAndClose } from "./send-problem-and-close.ts";

interface ClientErrorOptions extends SendProblemOptions {
  readonly timeouts: { readonly headersMs: number; readonly requestMs: number };
}

type ClientErrorListener = (error: Error & { code?: string }, socket: Duplex) => void;

/**
 * Answers bytes that are not an HTTP request, and so never reach the application, with problem details like every other
 * error. Earlier requests on the connection are answered first. Then the connection ends.
 */
export function answerClientError({ timeouts, ...options }: ClientErrorOptions): ClientErrorListener {
  const reasons = describeErrors(timeouts);
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
function describeErrors({ headersMs, requestMs }: ClientErrorOptions["timeouts"]): Readonly<Record<string, string>> {
  return {
    HPE_HEADER_OVERFLOW: "The headers are larger than 16 KiB. Send smaller headers.",
    HPE_CHUNK_EXTENSIONS_OVERFLOW: "The chunk extensions are too large. Send chunks without extensions.",
    ERR_HTTP_REQUEST_TIMEOUT: `The request did not arrive in time. Send the headers within ${headersMs / 1000} seconds and the entire request within ${requestMs / 1000}.`,
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
