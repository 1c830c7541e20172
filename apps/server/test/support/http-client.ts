import { type Agent, request } from "node:http";
import { text } from "node:stream/consumers";

export interface ClientRequest {
  readonly method?: string;
  readonly path: string;
  readonly key: string;
  readonly form?: string;
  /** Whose connections are used; a new connection for this request alone where there is none. */
  readonly agent?: Agent;
}

export interface ClientAnswer {
  readonly status: number;
  /** Whether the server says that this was the last answer on the connection. */
  readonly isLast: boolean;
  /** Whether the connection had served before. */
  readonly isReused: boolean;
  readonly text: string;
}

/** Sends one request, once: unlike `fetch`, it never tries again on another connection. */
export async function send(url: string, { method = "GET", path, key, form, agent }: ClientRequest) {
  const { promise, resolve, reject } = Promise.withResolvers<ClientAnswer>();
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/x-www-form-urlencoded" };
  const sent = request(`${url}${path}`, { method, headers, agent: agent ?? false, timeout: 30_000 }, (response) => {
    const isLast = response.headers.connection === "close";
    const { statusCode: status = 0 } = response;
    text(response).then((body) => resolve({ status, isLast, isReused: sent.reusedSocket, text: body }), reject);
  });
  sent.once("error", reject);
  sent.once("timeout", () => sent.destroy(new Error(`${method} ${path} was not answered.`)));
  sent.end(form);
  return promise;
}
