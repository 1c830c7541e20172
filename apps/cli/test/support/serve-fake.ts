import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createFakeSiteward, type FakeSiteward, type FakeSitewardOptions } from "@siteward/sdk/testing";

/** A fake of `@siteward/sdk/testing`, which answers as the service does, over real HTTP on loopback. */
export interface ServedFake extends AsyncDisposable {
  readonly fake: FakeSiteward;
  /** The settings with which the CLI uses it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Serves a fake. Its paths, errors, entity tags and scopes are those of the service. */
export async function serveFake(options: Omit<FakeSitewardOptions, "baseUrl"> = {}): Promise<ServedFake> {
  const fake = createFakeSiteward(options);
  const server = createServer(async (request, response) => {
    try {
      const { method = "GET", url = "/" } = request;
      const body = await buffer(request);
      const init = { method, headers: forwardedHeaders(request), ...(body.length === 0 ? {} : { body: String(body) }) };
      const answer = await fake.fetch(`${fake.baseUrl}${url}`, init);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    } catch {
      // A network error that the test planned.
      response.destroy();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a server that listens on a port has one. Node's type also covers pipes.
  const { port } = server.address() as AddressInfo;
  return {
    fake,
    env: { SITEWARD_API_KEY: fake.apiKey, SITEWARD_BASE_URL: `http://127.0.0.1:${port}` },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Without those that belong to the connection. */
function forwardedHeaders({ headers }: IncomingMessage): [string, string][] {
  const {
    host: _host,
    connection: _connection,
    "content-length": _length,
    "transfer-encoding": _encoding,
    ...rest
  } = headers;
  return Object.entries(rest).map(([name, value]) => [name, String(value)]);
}
