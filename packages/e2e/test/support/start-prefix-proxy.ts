import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a proxy that serves a server behind the prefix `/siteward/`, as one that has other services too. */
export async function startPrefixProxy(target: string): Promise<AsyncDisposable & { readonly url: string }> {
  const proxy = createServer((incoming, answer) => {
    const { method = "GET", url = "/", headers } = incoming;
    if (!url.startsWith("/siteward/")) {
      answer.writeHead(404).end();
      return;
    }
    const outgoing = request(target + url.slice("/siteward".length), { method, headers }, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(answer);
    });
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address with that port.
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/siteward`,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
