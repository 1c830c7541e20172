import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { createFakeSiteward, type FakeSiteward, type FakeSitewardOptions } from "@siteward/sdk/testing";
import { listen } from "@siteward/testing/listen";

/** A server on loopback that ends with the test. */
export interface Served extends AsyncDisposable {
  readonly url: string;
  /** The settings with which the CLI uses it. */
  readonly env: Readonly<Record<"SITEWARD_API_KEY" | "SITEWARD_BASE_URL", string>>;
}

/** A fake of `@siteward/sdk/testing`, which answers as the service does, over real HTTP on loopback. */
export interface ServedFake extends Served {
  readonly fake: FakeSiteward;
}

/** How a fake begins. */
interface ServedFakeOptions extends Omit<FakeSitewardOptions, "baseUrl"> {
  /** Called with each request, which is answered when this is resolved. */
  readonly before?: (request: IncomingMessage) => Promise<void>;
  /** Returns the body to send instead of that of the answer. */
  readonly rewrite?: (body: string) => string;
}

/** An API key whose checksum is valid, and which no service knows. */
export const unknownKey = "swk_CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC1fdVXg";

/** Serves a fake. Its paths, errors, entity tags and scopes are those of the service. */
export async function serveFake({
  before = async () => undefined,
  rewrite = (body) => body,
  ...options
}: ServedFakeOptions = {}): Promise<ServedFake> {
  const fake = createFakeSiteward(options);
  const served = await serve(async (request, response) => {
    const left = new AbortController();
    response.on("close", () => left.abort());
    try {
      const { method = "GET", url = "/" } = request;
      const body = await buffer(request);
      await before(request);
      const init = { method, headers: forwardedHeaders(request), ...(body.length === 0 ? {} : { body: String(body) }) };
      const answer = await fake.fetch(`${fake.baseUrl}${url}`, { ...init, signal: left.signal });
      const { "content-length": _length, ...headers } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, headers);
      response.end(rewrite(await answer.text()));
    } catch {
      // A network error that the test planned.
      response.destroy();
    }
  });
  return { ...served, fake, env: { ...served.env, SITEWARD_API_KEY: fake.apiKey } };
}

/** Serves what answers otherwise than the service. */
export async function serve(listener: RequestListener): Promise<Served> {
  const listening = await listen(createServer(listener));
  const url = `http://127.0.0.1:${listening.port}`;
  return { ...listening, url, env: { SITEWARD_API_KEY: unknownKey, SITEWARD_BASE_URL: url } };
}

/** Without those that belong to the connection. */
function forwardedHeaders({ headers }: IncomingMessage): [string, string][] {
  const ofConnection = ["host", "connection", "content-length", "transfer-encoding"];
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.includes(name));
  return kept.map(([name, value]) => [name, String(value)]);
}
