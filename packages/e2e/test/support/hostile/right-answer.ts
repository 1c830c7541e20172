import type { SeenRequest } from "./hostile-server.ts";

/** An answer as the service sends it, before it goes wrong. */
export interface RightAnswer {
  readonly status: number;
  readonly body: string;
}

/** Short, because tests cut it at every byte. The SDK does not check the fields of a record. */
const website = { id: 7, domain: "example.com" };
const statuses: Readonly<Record<string, number>> = { POST: 201, DELETE: 204 };

/** Returns what the service answers if all goes well. */
export function rightAnswerTo({ method, path }: SeenRequest): RightAnswer {
  return { status: statuses[method] ?? 200, body: method === "DELETE" ? "" : JSON.stringify(bodyOf(method, path)) };
}

function bodyOf(method: string, path: string): object {
  if (path.endsWith("/account")) return { data: { id: 1 } };
  const isList = method === "GET" && !/\/\d+$/.test(path);
  if (!isList) return { data: website };
  return { data: [website], links: {}, meta: { next_cursor: null } };
}

/** How a response says where it ends. */
const framings = {
  "its length": (body: string) => ({ header: `content-length: ${Buffer.byteLength(body)}`, framed: body }),
  "a last chunk": (body: string) => ({ header: "transfer-encoding: chunked", framed: toChunks(body) }),
  "the connection": (body: string) => ({ header: "connection: close", framed: body }),
} as const;

export type Framing = keyof typeof framings;

/** Returns the bytes of a response with this status, body and headers. */
export function respond(
  { status, body }: RightAnswer,
  { framing = "its length", headers = [] }: { framing?: Framing; headers?: readonly string[] } = {},
): string {
  const { header, framed } = framings[framing](body);
  // A 204 has no body, so nothing says where it ends.
  if (status === 204) return [`HTTP/1.1 204 Any`, ...headers, "\r\n"].join("\r\n");
  const type = headers.some((line) => line.startsWith("content-type:")) ? [] : ["content-type: application/json"];
  return [`HTTP/1.1 ${status} Any`, ...headers, ...type, header, "", framed].join("\r\n");
}

/** Two chunks, so that a response can be cut in and between them. */
function toChunks(body: string): string {
  const middle = Math.floor(body.length / 2);
  const chunks = [body.slice(0, middle), body.slice(middle)].filter((chunk) => chunk !== "");
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}0\r\n\r\n`;
}
