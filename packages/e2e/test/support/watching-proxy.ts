import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A proxy in front of a server that remembers the requests. */
export interface WatchingProxy extends AsyncDisposable {
  readonly url: string;
  /** Method and path of the requests since the last call, in order. */
  readonly takeRequests: () => string[];
}

/** Starts a proxy. It calls `before` for each request, and then passes the request on: with `fetch`, or that of a fake. */
export async function startWatchingProxy(
  target: string,
  before: (request: { readonly method: string; readonly body: string }) => Promise<void>,
  send: typeof fetch = fetch,
): Promise<WatchingProxy> {
  let requests: string[] = [];
  const proxy = createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    requests.push(`${method} ${url}`);
    const body = await text(request);
    await before({ method, body });
    const forwarded = ["authorization", "content-type", "idempotency-key"].flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value] as [string, string]] : [];
    });
    const answer = await send(target + url, { method, headers: forwarded, body: body === "" ? null : body });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address with that port.
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    takeRequests: () => {
      const taken = requests;
      requests = [];
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
