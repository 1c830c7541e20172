import type { Agent, IncomingMessage, ProxyEnv } from "node:http";
import type { Fetch } from "@siteward/sdk";
import type { Runtime } from "../process/io.ts";

/** What the SDK reads of a response. */
interface ReadResponse {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]> & Pick<Headers, "get">;
  readonly body: { readonly getReader: () => BodyReader };
}

interface BodyReader {
  readonly read: () => Promise<IteratorResult<Uint8Array, undefined>>;
  readonly cancel: () => Promise<void>;
}

/**
 * Creates a `fetch` over `node:http` or `node:https`, for one service. The global one is an HTTP client of its own
 * inside Node, and loading it takes as much CPU time as an empty script and the rest of the CLI together. This one
 * follows no redirect, decompresses nothing, and keeps connections open for the next request. Its errors are those of
 * Node, which the global one reports as their `cause`.
 *
 * @param proxy the variables that name a proxy; undefined if none is used
 */
export function createNodeFetch(runtime: Runtime, proxy?: ProxyEnv): Fetch {
  let agent: Agent | undefined;
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      // Not by import: that reads all exports of the module, one of which loads the client of the global fetch.
      const { Agent, request } = runtime.getBuiltinModule(url.startsWith("https:") ? "node:https" : "node:http");
      // Not the agent of Node: with NODE_USE_ENV_PROXY, that one uses a proxy for a service on this machine too.
      agent ??= new Agent({ keepAlive: true, ...(proxy && { proxyEnv: proxy }) });
      const length = body === null ? {} : { "content-length": Buffer.byteLength(body) };
      const options = { method, headers: { ...headers, ...length }, signal, agent };
      const sent = request(url, options, (response) => {
        // It can fail before the SDK reads it. Who reads it then gets the error.
        response.on("error", () => undefined);
        // A real response would load the client of the global fetch.
        resolve(toReadResponse(response) as unknown as Response);
      });
      sent.on("upgrade", (_response, socket) => {
        socket.destroy();
        reject(new Error("the server switched to another protocol"));
      });
      sent.on("error", (error) => reject(nameTlsError(error))).end(body ?? undefined);
    });
}

/**
 * Sets the code that the SDK knows on an error of TLS. If data was written before the handshake failed, the code is
 * EPROTO, and only the message of OpenSSL says what it is.
 */
function nameTlsError(error: Error): Error {
  const isPlain = error.message.includes("wrong version number");
  return isPlain ? Object.assign(error, { code: "ERR_SSL_WRONG_VERSION_NUMBER" }) : error;
}

function toReadResponse(response: IncomingMessage): ReadResponse {
  return {
    status: response.statusCode ?? 0,
    headers: toReadHeaders(response.headers),
    body: {
      getReader: () => {
        const chunks = response.iterator();
        return {
          read: () => chunks.next(),
          cancel: async () => void response.destroy(),
        };
      },
    },
  };
}

/** Real headers would load the client of the global fetch. */
function toReadHeaders(headers: IncomingMessage["headers"]): ReadResponse["headers"] {
  const pairs = Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  return {
    [Symbol.iterator]: () => pairs.values(),
    get: (name) => pairs.find(([known]) => known === name.toLowerCase())?.[1] ?? null,
  };
}
