import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { certificate, certificateKey } from "./support/certificate.ts";
import { type FakeService, keys, startFakeService } from "./support/fake-service.ts";
import { runCli } from "./support/run-cli.ts";
import { startProxy } from "./support/start-proxy.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const httpUrl = "http://siteward.test";
const httpsUrl = "https://siteward.test";

function portOf({ baseUrl }: FakeService): number {
  return Number(new URL(baseUrl).port);
}

/** A service with HTTPS, and the environment in which the CLI trusts it. */
async function startHttpsService() {
  const folder = await createTemporaryFolder();
  const path = join(folder.path, "certificate.pem");
  await writeFile(path, certificate);
  const authorizations: unknown[] = [];
  const server = createServer({ cert: certificate, key: certificateKey.export({ type: "pkcs8", format: "pem" }) });
  server.on("request", (request, response) => {
    authorizations.push(request.headers.authorization);
    response.end('{"data":{"id":1,"name":"Ada"}}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a server that listens on a port has one. Node's type also covers pipes.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    authorizations,
    env: { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: httpsUrl, NODE_EXTRA_CA_CERTS: path },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("HTTPS_PROXY: requests go through a tunnel, in which only the service can read the key", async () => {
  await using service = await startHttpsService();
  await using proxy = await startProxy(service.port);
  const env = { ...service.env, HTTPS_PROXY: proxy.url.replace("http://", "http://ada:secret@") };
  const run = await runCli(["account"], { env });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(run.stdout)).toMatchObject({ name: "Ada" });
  const authorization = `Basic ${Buffer.from("ada:secret").toString("base64")}`;
  expect(proxy.requests).toEqual([{ line: "CONNECT siteward.test:443", authorization }]);
  expect(service.authorizations).toEqual([`Bearer ${keys.full}`]);
});

test("HTTP_PROXY: requests to http:// are sent to the proxy", async () => {
  await using service = await startFakeService(Array.from({ length: 250 }, (_, index) => `site-${index}.example`));
  await using proxy = await startProxy(portOf(service));
  const env = { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: httpUrl, http_proxy: proxy.url };
  const run = await runCli(["websites", "list", "--all"], { env });
  expect(run.exitCode).toBe(0);
  expect(JSON.parse(run.stdout)).toHaveLength(250);
  expect(proxy.requests.map(({ line }) => line)).toEqual([
    `GET ${httpUrl}/api/v1/websites?per_page=100`,
    `GET ${httpUrl}/api/v1/websites?per_page=100&cursor=after-100`,
    `GET ${httpUrl}/api/v1/websites?per_page=100&cursor=after-200`,
  ]);
});

test.each([[".test"], ["*.test"], ["siteward.test:80"], ["other.test, siteward.test"]])(
  "NO_PROXY %s: the host is reached without the proxy",
  async (exceptions) => {
    await using service = await startFakeService();
    await using proxy = await startProxy(portOf(service));
    const env = {
      SITEWARD_API_KEY: keys.full,
      SITEWARD_BASE_URL: httpUrl,
      HTTP_PROXY: proxy.url,
      NO_PROXY: exceptions,
    };
    const run = await runCli(["account", "--timeout", "5"], { env });
    expect(run.exitCode, "the host exists only for the proxy").toBe(1);
    expect(proxy.requests).toEqual([]);
  },
);

test.each([{}, { NODE_USE_ENV_PROXY: "1" }])(
  "a service on this machine is reached without the proxy (%j)",
  async (variables) => {
    await using service = await startFakeService();
    const proxy = { HTTP_PROXY: "http://127.0.0.1:9", ...variables };
    const env = { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl, ...proxy };
    expect(await runCli(["account"], { env })).toMatchObject({ exitCode: 0 });
  },
);

test("a proxy that refuses: the error says so, without its password", async () => {
  await using service = await startHttpsService();
  await using proxy = await startProxy(service.port, "407 Proxy Authentication Required");
  const env = { ...service.env, https_proxy: proxy.url.replace("http://", "http://ada:secret@") };
  const run = await runCli(["account"], { env });
  expect(run.exitCode).toBe(1);
  expect(JSON.parse(run.stderr).error).toMatchObject({
    code: "connection_failed",
    message: expect.stringContaining("407 Proxy Authentication Required"),
    next: expect.stringContaining("https_proxy"),
  });
  expect(run.stderr).not.toContain("secret");
  expect(service.authorizations).toEqual([]);
});

test("a proxy of a kind that is not supported: the error names the variable, and nothing is sent", async () => {
  await using service = await startHttpsService();
  const run = await runCli(["account"], { env: { ...service.env, HTTPS_PROXY: "socks5://127.0.0.1:1080" } });
  expect(run.exitCode).toBe(2);
  expect(JSON.parse(run.stderr).error).toMatchObject({
    code: "settings_unusable",
    message: "HTTPS_PROXY is not the URL of an HTTP proxy.",
  });
  expect(service.authorizations).toEqual([]);
});
