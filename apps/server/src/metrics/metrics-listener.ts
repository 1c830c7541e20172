import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Address, listen, listeningUrl } from "../door/listen.ts";
import { contentType } from "./metrics.ts";

const path = "/metrics";
const setting = "SITEWARD_METRICS (--metrics)";
/**
 * Prometheus has one, and each person who looks another. The others are silent ones, of which no small number may shut
 * scrapes out.
 */
const maxConnections = 1_000;
/** For all of a request, and between two: every scrape may open a connection of its own. */
const maxWaitMs = 5_000;
/** For a scrape, which Prometheus waits 10 seconds for by default, and for its client to read it. */
const maxSilentMs = 10_000;
const maxHeaderBytes = 8 * 1024;

/**
 * Answers `GET /metrics` and nothing else, without a key: whoever reaches this address may read it. Scrapes at the same
 * time share one answer.
 *
 * @param render returns the answer
 * @param onFailure called with the reason if it cannot
 * @throws Error that names the setting to change if the system refuses the address
 */
export async function listenForScrapes(
  address: Address,
  render: () => Promise<string>,
  onFailure: (error: unknown) => void,
) {
  let rendering: Promise<string> | undefined;
  const renderOnce = () => {
    rendering ??= render().finally(() => {
      rendering = undefined;
    });
    return rendering;
  };
  const answering = new WeakSet<IncomingMessage["socket"]>();
  const answer = async ({ socket, method = "", url = "" }: IncomingMessage, response: ServerResponse) => {
    // No scraper sends a request before it has the answer to the last one. Node would keep all of them in memory.
    if (answering.has(socket)) return void socket.destroy();
    answering.add(socket);
    response.once("close", () => answering.delete(socket));
    if (url.split("?")[0] !== path) return send(response, 404, `Only ${path} is here.`);
    if (!["GET", "HEAD"].includes(method))
      return send(response.setHeader("Allow", "GET, HEAD"), 405, "Send GET or HEAD.");
    try {
      response.setHeader("Content-Type", contentType).end(await renderOnce());
    } catch (error) {
      onFailure(error);
      send(response, 500, "The metrics could not be read.");
    }
  };
  const timeouts = { headersTimeout: maxWaitMs, requestTimeout: maxWaitMs, keepAliveTimeout: maxWaitMs };
  const limits = { maxHeaderSize: maxHeaderBytes, connectionsCheckingInterval: 1_000, ...timeouts };
  const server = createServer(limits, (request, response) => void answer(request, response));
  server.maxConnections = maxConnections;
  // This also ends connections whose client does not read.
  server.setTimeout(maxSilentMs);
  const port = await listen(server, address, setting);
  return {
    url: `${listeningUrl(address.host, port)}${path}`,
    [Symbol.asyncDispose]: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** What else the client sends is not read, so the connection ends. */
function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
  response.end(`${text}\n`);
}
