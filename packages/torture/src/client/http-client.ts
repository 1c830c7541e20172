import { Agent, request } from "node:http";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Undefined if the body is not JSON. */
  readonly json: unknown;
}

interface HttpRequest {
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default: 15 seconds. */
  readonly timeoutMs?: number;
}

/** A client of one server over node:http, which needs a fraction of the time of fetch. */
export interface HttpClient extends Disposable {
  /** @throws Error if the connection ends before the entire answer has arrived */
  send(method: string, path: string, request?: HttpRequest): Promise<HttpAnswer>;
}

/** Creates a client with a maximum number of connections, which it keeps open. */
export function createHttpClient(baseUrl: string, { connections = 64 } = {}): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  const { hostname, port } = new URL(baseUrl);
  return {
    send: (method, path, { apiKey, headers = {}, body, timeoutMs = 15_000 } = {}) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      return new Promise((resolve, reject) => {
        const sent = request({
          agent,
          hostname,
          port,
          method,
          path,
          headers: {
            ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
            ...(text === undefined
              ? {}
              : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
            ...headers,
          },
        });
        const timer = setTimeout(() => sent.destroy(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
        sent.once("close", () => clearTimeout(timer));
        sent.once("error", reject);
        sent.once("response", (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.once("error", reject);
          response.once("end", () => {
            const received = Buffer.concat(chunks).toString();
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: received,
              json: parseJson(received),
            });
          });
        });
        sent.end(text);
      });
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
