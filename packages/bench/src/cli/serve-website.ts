import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { websiteDefaults } from "@siteward/contract/website-fields";

/** A server that answers every request with one website. */
interface WebsiteServer extends AsyncDisposable {
  readonly url: string;
}

const { privacy, ...otherSettings } = websiteDefaults;
const body = JSON.stringify({
  data: {
    id: 7,
    domain: "example.com",
    privacy,
    has_password: false,
    ...otherSettings,
    created_at: "2026-01-15T10:15:00.000Z",
    updated_at: "2026-01-15T10:15:00.000Z",
  },
});
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body), etag: '"7-1"' };

/** Starts the server on a free loopback port. */
export async function serveWebsite(): Promise<WebsiteServer> {
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
