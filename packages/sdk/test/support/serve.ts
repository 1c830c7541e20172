import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Siteward } from "../../src/siteward.ts";
import { apiKey } from "./keys.ts";

/** A request as the server received it. */
interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers one request; `seen` is the request. */
export type Responder = (response: ServerResponse, seen: SeenRequest) => void;

/**
 * A server on loopback that answers each request with the next responder. The last responder answers all further
 * requests.
 */
export interface TestServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  /** A client of it. */
  readonly siteward: Siteward;
}

/** Starts a real HTTP server for one test. */
export async function serve(...responders: readonly Responder[]): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const received = await readRequest(request);
    const respond = responders[Math.min(seen.length, responders.length - 1)];
    seen.push(received);
    respond?.(response, received);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address with that port.
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    seen,
    siteward: new Siteward({ apiKey, baseUrl }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Responder {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

/** Answers with problem details. */
export function problem(
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Responder {
  const body = { type: `https://docs/${code}`, title: "Title", status, detail: `Detail of ${code}.`, code };
  return json(
    status,
    { ...body, request_id: "request-1", ...more },
    { "content-type": "application/problem+json", ...headers },
  );
}

/** Answers with a status and no body. */
export function empty(status: number, headers: Record<string, string> = {}): Responder {
  return (response) => {
    response.writeHead(status, headers).end();
  };
}

/** Reads the request and closes the connection without a response. */
export const hangUp: Responder = (response) => {
  response.destroy();
};

/** Reads the request and never answers. */
export const stall: Responder = () => {};

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return { method: request.method, url: request.url ?? "", headers: request.headers, body };
}
