import { createPrivateKey } from "node:crypto";
import { createServer, type IncomingMessage, request as sendRequest } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { listen } from "@siteward/testing/listen";
import { describe, expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { errorOf, jsonOf } from "./support/run-cli.ts";
import { unknownKey } from "./support/serve-fake.ts";

const httpUrl = "http://siteward.test";

/** A certificate for siteward.test, signed by its own key, valid until 2126. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBczCCASWgAwIBAgIUOtwXitxoOQpBb6XutOemg9161UowBQYDK2VwMBgxFjAU
BgNVBAMMDXNpdGV3YXJkLnRlc3QwIBcNMjYxMTIyMTA1MTM3WhgPMjEyNjEwMjkx
MDUxMzdaMBgxFjAUBgNVBAMMDXNpdGV3YXJkLnRlc3QwKjAFBgMrZXADIQDzRLSW
SeU1WniaX5E9Q6JUojKtHrBqbabjdtpUvouPuKN/MH0wHQYDVR0OBBYEFGJbA54E
RMpPICQNcxab7XrQP6PBMB8GA1UdIwQYMBaAFGJbA54ERMpPICQNcxab7XrQP6PB
MA8GA1UdEwEB/wQFMAMBAf8wKgYDVR0RBCMwIYINc2l0ZXdhcmQudGVzdIIKcHJv
eHkudGVzdIcEfwAAATAFBgMrZXADQQAU6A6bcteMgjM6jyBo5A0SJM9Vp9U9A9oO
9jeGIi29XN5Cb0dQm8XZdhKraKbjCePSkVXMuUkEfuq1VTosbZwE
-----END CERTIFICATE-----
`;

/** The key of the certificate. It protects nothing: everyone can read its seed here. */
const certificateKey = createPrivateKey({
  // An Ed25519 key in PKCS #8 is this prefix and a seed of 32 bytes (RFC 8410, section 7).
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, "siteward test key")]),
  format: "der",
  type: "pkcs8",
});

/** A forward proxy that sends every request to one server on loopback, whatever its host is. */
interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** The requests to the proxy, such as `CONNECT siteward.test:443`, with their `Proxy-Authorization`. */
  readonly requests: readonly { readonly line: string; readonly authorization: string | undefined }[];
}

/**
 * Starts a proxy.
 *
 * @param targetPort the port on loopback that all hosts lead to
 * @param tunnelStatus the status of the answer to CONNECT
 */
async function startProxy(targetPort: number, tunnelStatus = "200 Connection Established"): Promise<Proxy> {
  const requests: { line: string; authorization: string | undefined }[] = [];
  const record = ({ method, url, headers }: IncomingMessage): void => {
    requests.push({ line: `${method} ${url}`, authorization: headers["proxy-authorization"] });
  };
  const server = createServer((received, response) => {
    record(received);
    const { pathname, search } = new URL(received.url ?? "/");
    const options = { port: targetPort, method: received.method, path: pathname + search, headers: received.headers };
    received.pipe(
      sendRequest({ host: "127.0.0.1", ...options }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  const listening = await listen(server);
  server.on("connect", (received, socket: Socket) => {
    record(received);
    socket.on("error", () => undefined).write(`HTTP/1.1 ${tunnelStatus}\r\n\r\n`);
    if (!tunnelStatus.startsWith("200")) {
      socket.end();
      return;
    }
    const tunnel = connect(targetPort, "127.0.0.1").on("error", () => socket.destroy());
    listening.sockets.add(tunnel);
    tunnel.pipe(socket).pipe(tunnel);
  });
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, requests };
}

/** A service with HTTPS, and the environment in which a process of the CLI trusts it. */
async function startHttpsService(certificatePath: string) {
  const authorizations: unknown[] = [];
  const server = createHttpsServer({ cert: certificate, key: certificateKey.export({ type: "pkcs8", format: "pem" }) });
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
      message: expect.stringMatching(
        /407 Proxy Authentication Required\. Put the user and password of the proxy into its URL/,
      ),
      next: "The requests go through the proxy of https_proxy.",
    });
    expect(run.stderr).not.toContain("secret");
    expect(service.authorizations).toEqual([]);
  });
});

test("a certificate of a private CA is an error that names NODE_EXTRA_CA_CERTS, and no other cause", async ({
  cli,
}) => {
  await using service = await startHttpsService("");
  const env = { SITEWARD_API_KEY: unknownKey, SITEWARD_BASE_URL: `https://127.0.0.1:${service.port}` };
  const error = errorOf(await cli.run("account", { env }));
  expect(error).toMatchObject({
    code: "connection_failed",
    message: expect.stringContaining("set NODE_EXTRA_CA_CERTS to"),
  });
  expect(error.next).toBeUndefined();
});

test("HTTP_PROXY that refuses is named, and where its user and password go", async ({ cli }) => {
  await using proxy = await listen(createServer((_request, response) => void response.writeHead(407).end()));
  const run = await cli.run("account", { env: { SITEWARD_BASE_URL: httpUrl, HTTP_PROXY: proxy.url } });
  expect(run.exitCode).toBe(1);
  expect(errorOf(run)).toMatchObject({
    message: expect.stringContaining("Put the user and password of the proxy into its URL"),
    next: "The requests go through the proxy of HTTP_PROXY.",
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
