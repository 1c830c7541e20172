import { createServer } from "node:https";
import { listen } from "@siteward/testing/listen";
import { describe, expect } from "vitest";
import { certificate, certificateKey } from "./support/certificate.ts";
import { test } from "./support/cli-test.ts";
import { errorOf, jsonOf } from "./support/run-cli.ts";
import { unknownKey } from "./support/serve-fake.ts";
import { startProxy } from "./support/start-proxy.ts";

const httpUrl = "http://siteward.test";

/** A service with HTTPS, and the environment in which a process of the CLI trusts it. */
async function startHttpsService(certificatePath: string) {
  const authorizations: unknown[] = [];
  const server = createServer({ cert: certificate, key: certificateKey.export({ type: "pkcs8", format: "pem" }) });
  server.on("request", (request, response) => {
    authorizations.push(request.headers.authorization);
    response.end('{"data":{"id":1,"name":"Ada"}}');
  });
  const url = "https://siteward.test";
  const env = { SITEWARD_API_KEY: unknownKey, SITEWARD_BASE_URL: url, NODE_EXTRA_CA_CERTS: certificatePath };
  return { ...(await listen(server)), authorizations, env };
}

describe("HTTPS_PROXY", () => {
  test("requests go through a tunnel, in which only the service can read the key", async ({ cli, folder }) => {
    await using service = await startHttpsService(await folder.write("certificate.pem", certificate));
    await using proxy = await startProxy(service.port);
    const env = { ...service.env, HTTPS_PROXY: proxy.url.replace("http://", "http://ada:secret@") };
    const run = await cli.start("account", { env }).ended;
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(jsonOf(run)).toMatchObject({ name: "Ada" });
    const authorization = `Basic ${Buffer.from("ada:secret").toString("base64")}`;
    expect(proxy.requests).toEqual([{ line: "CONNECT siteward.test:443", authorization }]);
    expect(service.authorizations).toEqual([`Bearer ${unknownKey}`]);
  });

  test("that refuses is named by the error, without its password", async ({ cli, folder }) => {
    await using service = await startHttpsService(await folder.write("certificate.pem", certificate));
    await using proxy = await startProxy(service.port, "407 Proxy Authentication Required");
    const env = { ...service.env, https_proxy: proxy.url.replace("http://", "http://ada:secret@") };
    const run = await cli.run("account", { env });
    expect(run.exitCode).toBe(1);
    expect(errorOf(run)).toMatchObject({
      code: "connection_failed",
      message: expect.stringContaining("407 Proxy Authentication Required"),
      next: expect.stringContaining("https_proxy"),
    });
    expect(run.stderr).not.toContain("secret");
    expect(service.authorizations).toEqual([]);
  });

  test("of a kind that is not supported is named by the error, and nothing is sent", async ({ cli }) => {
    const env = { SITEWARD_BASE_URL: "https://siteward.test", HTTPS_PROXY: "socks5://127.0.0.1:1080" };
    const run = await cli.run("account", { env });
    expect(run.exitCode).toBe(2);
    const message = "HTTPS_PROXY is not the URL of an HTTP proxy.";
    expect(errorOf(run)).toMatchObject({ code: "settings_unusable", message });
  });
});

test("HTTP_PROXY: requests to http:// are sent to the proxy, but those of NO_PROXY", async ({ cli }) => {
  await cli.add(...Array.from({ length: 250 }, (_, index) => `site-${index}.example`));
  await using proxy = await startProxy(Number(new URL(cli.url).port));
  const env = { SITEWARD_BASE_URL: httpUrl, http_proxy: proxy.url };
  const run = await cli.run("websites list --all", { env });
  expect(run.exitCode).toBe(0);
  expect(jsonOf(run)).toHaveLength(250);
  const lines = proxy.requests.map(({ line }) => line);
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line.startsWith(`GET ${httpUrl}/api/v1/websites?per_page=100`)).toBe(true);
  for (const exceptions of [".test", "*.test", "siteward.test:80", "other.test, Siteward.test", "*"]) {
    const excepted = await cli.run("account --timeout 5", { env: { ...env, NO_PROXY: exceptions } });
    expect(excepted.exitCode, "the host exists only for the proxy").toBe(1);
  }
  expect(proxy.requests).toHaveLength(3);
});

test.for([{}, { NODE_USE_ENV_PROXY: "1" }])(
  "a service on this machine is reached without the proxy (%j)",
  async (variables, { cli }) => {
    const env = { HTTP_PROXY: "http://127.0.0.1:9", ...variables };
    expect(await cli.start("account", { env }).ended).toMatchObject({ exitCode: 0 });
  },
);
