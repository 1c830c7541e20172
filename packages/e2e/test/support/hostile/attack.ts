import { createServer } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { ApiError, ConnectionError, TimeoutError } from "@siteward/sdk";
import { type Listening, listen } from "@siteward/testing/listen";

/**
 * How a call ended: with its result, or with which error. `problem: …` is an `ApiError` with this code of the service.
 * `undocumented: …` is an error that the SDK does not document for what a server does.
 */
export type Outcome =
  | "result"
  | "broken connection"
  | "no connection"
  | "timeout"
  | "unexpected response"
  | `problem: ${string}`
  | `undocumented: ${string}`;

/** What a server does, and what must come of every call to it. */
export interface Attack {
  readonly onConnection?: (socket: Socket) => void;
  /** Called with each complete request. */
  readonly onRequest?: (socket: Socket, request: SeenRequest) => void;
  /** One of these. There are two if the runtime may see either, such as a reset before or after the bytes in front of it. */
  readonly outcomes: readonly Outcome[];
  /** Operations that end in another way, such as a DELETE, whose answer has no body. */
  readonly exceptions?: Readonly<Record<string, readonly Outcome[]>>;
}

type Bytes = string | Buffer;

/** Sends these bytes for each request, and leaves the connection open. */
export function sends(bytes: (request: SeenRequest) => Bytes, ...outcomes: Outcome[]): Attack {
  return { onRequest: (socket, request) => void socket.write(bytes(request)), outcomes };
}

/** Answers each request correctly but for what is changed. */
export function answers(
  change: (right: RightAnswer) => Partial<RightAnswer> & { headers?: readonly string[] },
  ...outcomes: Outcome[]
): Attack {
  return sends(
    (request) => {
      const right = rightAnswerTo(request);
      const { headers = [], ...changed } = change(right);
      return respond({ ...right, ...changed }, headers);
    },
    ...outcomes,
  );
}

/** Names the error that a call ended with. */
export function toOutcome(error: unknown): Outcome {
  if (error instanceof TimeoutError) return "timeout";
  if (error instanceof ConnectionError) return error.requestSent ? "broken connection" : "no connection";
  if (!(error instanceof ApiError)) return `undocumented: ${String(error)}`;
  return error.code === "unexpected_response" ? "unexpected response" : `problem: ${error.code}`;
}

/** Starts a server that reads requests and does what the attack says, which need not be HTTP. Nothing answers them but that. */
export function startHostileServer({ onConnection = () => {}, onRequest }: Attack): Promise<Listening> {
  const server = createServer(async (incoming) => {
    const { method = "", url: path = "", socket } = incoming;
    await text(incoming);
    onRequest?.(socket, { method, path });
  });
  return listen(server.on("connection", onConnection));
}

/** A request as it arrived. */
interface SeenRequest {
  readonly method: string;
  readonly path: string;
}

/** An answer as the service sends it, before it goes wrong. */
export interface RightAnswer {
  readonly status: number;
  readonly body: string;
}

/** The SDK does not check the fields of a record. */
const website = { id: 7, domain: "example.com" };
const statuses: Readonly<Record<string, number>> = { POST: 201, DELETE: 204 };

/** Returns what the service answers if all goes well. */
function rightAnswerTo({ method, path }: SeenRequest): RightAnswer {
  return { status: statuses[method] ?? 200, body: method === "DELETE" ? "" : JSON.stringify(bodyOf(method, path)) };
}

function bodyOf(method: string, path: string): object {
  if (path.endsWith("/account")) return { data: { id: 1 } };
  const isList = method === "GET" && !/\/\d+$/.test(path);
  if (!isList) return { data: website };
  return { data: [website], links: {}, meta: { next_cursor: null } };
}

/** Returns the bytes of a response with this status, body and headers. */
export function respond({ status, body }: RightAnswer, headers: readonly string[] = []): string {
  // A 204 has no body, so nothing says where it ends.
  if (status === 204) return [`HTTP/1.1 204 Any`, ...headers, "\r\n"].join("\r\n");
  const type = headers.some((line) => line.startsWith("content-type:")) ? [] : ["content-type: application/json"];
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return [`HTTP/1.1 ${status} Any`, ...headers, ...type, length, "", body].join("\r\n");
}
