import { openRawConnection, type RawAnswer, type RawConnection } from "./raw-connection.ts";
import { writeRequest } from "./write-request.ts";

interface HttpRequest {
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** A client of one server, which keeps its connections open. */
export interface HttpClient extends Disposable {
  /** @throws Error if the connection ends before the entire answer has arrived */
  send(method: string, path: string, request?: HttpRequest): Promise<RawAnswer>;
}

/** Creates a client with a maximum number of connections. Further requests wait, in order. */
export function createHttpClient(baseUrl: string, { connections = 64 } = {}): HttpClient {
  const port = Number(new URL(baseUrl).port);
  const opened: RawConnection[] = [];
  const idle: RawConnection[] = [];
  const waiting: ((connection: RawConnection) => void)[] = [];
  const take = (): RawConnection | Promise<RawConnection> => {
    const known = idle.pop();
    if (known !== undefined) return known;
    if (opened.length === connections) return new Promise((resolve) => waiting.push(resolve));
    const connection = openRawConnection(port);
    opened.push(connection);
    return connection;
  };
  return {
    async send(method, path, { apiKey, headers, body } = {}) {
      const json = body === undefined ? {} : { "content-type": "application/json" };
      const sent = { method, path, apiKey, headers: { ...json, ...headers } };
      const bytes = writeRequest(body === undefined ? sent : { ...sent, body: JSON.stringify(body) });
      const connection = await take();
      try {
        return await connection.send(bytes);
      } finally {
        const next = waiting.shift();
        if (next === undefined) idle.push(connection);
        else next(connection);
      }
    },
    [Symbol.dispose]: () => {
      for (const connection of opened) connection[Symbol.dispose]();
    },
  };
}
