/** A request as it arrived. */
export interface SeenRequest {
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
export function rightAnswerTo({ method, path }: SeenRequest): RightAnswer {
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
