import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type ListenAddress, listen, listeningUrl } from "../door/sockets/listen.ts";
import { contentType } from "./exposition.ts";

/** Where Prometheus reads. */
export interface MetricsListener {
  readonly url: string;
  close(): Promise<void>;
}

const path = "/metrics";
/** Prometheus has one, and each person who looks another. */
const maxConnections = 16;
/** For all of a request, and between two: every scrape may open a connection of its own. */
const maxWaitMs = 5_000;
/** For a scrape, which Prometheus waits 10 seconds for by default, and for its client to read it. */
const maxSilentMs = 10_000;
const maxHeaderBytes = 8 * 1024;

/**
 * Answers `GET /metrics` and nothing else, without a key: whoever reaches this address may read it. Scrapes at the same time share one
 * answer.
 *
 * @param render returns the answer
 * @param onFailure called with the reason if it cannot
 * @throws Error that names the setting to change if the system refuses the address
 */
export async function listenForScrapes(
  address: ListenAddress,
  render: () => Promise<string>,
  onFailure: (error: unknown) => void,
): Promise<MetricsListener> {
  let rendering: Promise<string> | undefined;
  const renderOnce = () => {
    rendering ??= render()
      .catch((error: unknown) => {
        onFailure(error);
        throw error;
      })
      .finally(() => {
        rendering = undefined;
      });
    return rendering;
  };
  const answering = new WeakSet<IncomingMessage["socket"]>();
  const answerNext = async (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // No scraper sends a request before it has the answer to the last one. Node would keep all of them in memory.
    if (answering.has(socket)) return void socket.destroy();
    answering.add(socket);
    response.once("close", () => answering.delete(socket));
    await answer(request, response, renderOnce);
  };
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: maxWaitMs,
      requestTimeout: maxWaitMs,
      keepAliveTimeout: maxWaitMs,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => void answerNext(request, response),
  );
  server.maxConnections = maxConnections;
  // This also ends connections whose client does not read.
  server.setTimeout(maxSilentMs);
  const port = await listen(server, address, {
    host: "SITEWARD_METRICS (--metrics)",
    port: "SITEWARD_METRICS (--metrics)",
  });
  return {
    url: `${listeningUrl(address.host, port)}${path}`,
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  render: () => Promise<string>,
): Promise<void> {
  const { method, url = "" } = request;
  if (url.split("?")[0] !== path) return send(response, 404, `Only ${path} is here.`);
  if (method !== "GET" && method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    return send(response, 405, "Send GET or HEAD.");
  }
  try {
    const text = await render();
    response.setHeader("Content-Type", contentType);
    response.end(text);
  } catch {
    send(response, 500, "The metrics could not be read.");
  }
}

/** What else the client sends is not read, so the connection ends. */
function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
  response.end(`${text}\n`);
}
