import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A proxy in front of a server, for tests that hold requests back or change answers. */
export interface GatedProxy extends AsyncDisposable {
  readonly url: string;
}

/** What a proxy does with requests and their answers. */
export interface Gate {
  /** Called with each request. It is passed on when this is resolved. */
  readonly before?: (request: IncomingMessage) => Promise<void>;
  /** Returns the body to send instead of that of the answer. */
  readonly rewrite?: (body: string) => string;
}

/** Starts a proxy that passes on every header of requests and answers. */
export async function startGatedProxy(
  target: string,
  { before = async () => undefined, rewrite = (body) => body }: Gate,
): Promise<GatedProxy> {
  const server = createServer(async (incoming, outgoing) => {
    await before(incoming);
    const { method, url, headers } = incoming;
    const upstream = request(`${target}${url}`, { method, headers });
    // A client that is interrupted closes its connection.
    upstream.on("error", () => outgoing.destroy());
    incoming.pipe(upstream);
    const [answer] = (await once(upstream, "response")) as [IncomingMessage];
    const body = rewrite(await text(answer));
    const { "content-length": _length, "transfer-encoding": _encoding, ...kept } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, kept).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with that port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
