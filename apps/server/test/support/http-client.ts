import { type Agent, type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";

export interface ClientRequest {
  readonly method?: string;
  readonly path: string;
  readonly key: string;
  readonly form?: string;
  /** The agent whose connections are used. Without one, the request gets a new connection of its own. */
  readonly agent?: Agent;
}

export interface ClientAnswer {
  readonly status: number;
  /** Whether the server says that this was the last response on the connection. */
  readonly isLast: boolean;
  /** Whether the connection was used before. */
  readonly isReused: boolean;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends one request once. Unlike `fetch`, it never retries on another connection. */
export async function send(url: string, { method = "GET", path, key, form, agent }: ClientRequest) {
  const { promise, resolve, reject } = Promise.withResolvers<ClientAnswer>();
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/x-www-form-urlencoded" };
  const sent = request(`${url}${path}`, { method, headers, agent: agent ?? false, timeout: 30_000 }, (response) => {
    const isLast = response.headers.connection === "close";
    const { statusCode: status = 0, headers: received } = response;
    const { reusedSocket: isReused } = sent;
    text(response).then((body) => resolve({ status, isLast, isReused, headers: received, text: body }), reject);
  });
  sent.once("error", reject);
  sent.once("timeout", () => sent.destroy(new Error(`${method} ${path} was not answered.`)));
  sent.end(form);
  return promise;
}
