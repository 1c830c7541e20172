import { findFreePort } from "@siteward/testing/find-free-port";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { type FrontProgram, readFile, startFrontProxy } from "./support/front/front-proxy.ts";
import { openHttp2Client } from "./support/front/http2-client.ts";

const page = "docs/operating.md";
const path = "/api/v1/websites";
const form = { "content-type": "application/x-www-form-urlencoded" };
const maxBodyLength = 64 * 1024;
const patience = { timeout: 60_000, interval: 50 };

const publicUrl = "https://siteward.example";
const programs = (["caddy", "nginx"] as const).filter((program) => !lacksProgram(program));

/** One server is behind all of the proxies. */
describe.skipIf(programs.length === 0)("a proxy, as its file in deploy sets it up,", () => {
  const resources = new AsyncDisposableStack();
  const ports = new Map<FrontProgram, number>();
  let server: BuiltServer;
  let authorized: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const settings = { ...readSettings(publicUrl), LOG_LEVEL: "info" };
    server = resources.use(await startBuiltServer(settings));
    const { apiKey } = await server.createAccount();
    authorized = { authorization: `Bearer ${apiKey}` };
    for (const program of programs) {
      const port = await findFreePort();
      resources.use(await startFrontProxy(program, { port, target: `127.0.0.1:${server.port}` }));
      ports.set(program, port);
    }
  });

  afterAll(() => resources.disposeAsync());

  const open = (program: FrontProgram, localAddress?: string) => openHttp2Client(ports.get(program) ?? 0, localAddress);

  describe.for(programs)("%s", { concurrent: true }, (program) => {
    test("speaks HTTP/2, and leaves the headers of the server as they are", async () => {
      // Nobody changes anything of this account. nginx ends a connection that sends nothing for a while.
      const { apiKey } = await server.createAccount();
      await using client = await open(program);
      const authorization = `Bearer ${apiKey}`;
      const { status, headers } = await client.send(path, { headers: { authorization } });
      expect(status).toBe(200);
      expect(headers["strict-transport-security"]).toBe("max-age=31536000");
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers.etag).toMatch(/^W\/"/);
      const unchanged = await client.send(path, { headers: { authorization, "if-none-match": String(headers.etag) } });
      expect(unchanged.status).toBe(304);
    });

    test("lets Location and links begin with the public URL, whatever a client names", async () => {
      await using client = await open(program);
      const forged = { "x-forwarded-host": "forged.example", "x-forwarded-proto": "http" };
      const headers = { ...authorized, ...form, ...forged };
      const created = await client.send(path, { method: "POST", headers, body: `domain=${program}.example` });
      expect(created.headers.location?.startsWith(`${publicUrl}${path}/`)).toBe(true);
      expect(JSON.parse((await client.send(path, { headers })).text).links.first).toBe(`${publicUrl}${path}`);
    });

    test("reports the client's address, and none that it forges", async () => {
      const address = program === "caddy" ? "127.0.0.2" : "127.0.0.3";
      await using client = await open(program, address);
      const forged = {
        authorization: "Bearer swk_unknown",
        "x-forwarded-for": "203.0.113.7",
        "x-real-ip": "203.0.113.9",
        forwarded: "for=203.0.113.9",
      };
      expect((await client.send(path, { headers: forged })).status).toBe(401);
      // The log has only its last megabyte, and other tests send requests, too.
      await vi.waitUntil(() => server.log().includes(`"remote":"${address}"`), { ...patience, interval: 10 });
      expect(server.log()).not.toContain("203.0.113.");
    });

    test("lets the server refuse bodies over 64 KiB, and those without a key", async () => {
      const post = async (length: number, headers: Record<string, string> = { ...authorized }) => {
        // nginx ends a connection on which it has discarded some megabytes of bodies.
        await using client = await open(program);
        const sent = { method: "POST", headers: { ...form, ...headers }, body: `domain=${"x".repeat(length - 7)}` };
        const { status, headers: received, text } = await client.send(path, sent);
        return [status, received["content-type"], JSON.parse(text).code];
      };
      const tooLarge = [413, "application/problem+json; charset=utf-8", "body_too_large"];
      expect(await post(maxBodyLength)).toEqual([422, "application/problem+json; charset=utf-8", "validation_failed"]);
      expect(await post(maxBodyLength + 1)).toEqual(tooLarge);
      expect(await post(4 * 1024 * 1024)).toEqual(tooLarge);
      expect(await post(4 * 1024 * 1024, { ...authorized, "content-length": String(4 * 1024 * 1024) })).toEqual(
        tooLarge,
      );
      expect((await post(4 * 1024 * 1024, {}))[0]).toBe(401);
    });

    test("lets a header of 12 KiB through, and lets one of 20 KiB be refused", async () => {
      await using client = await open(program);
      const withHeader = (length: number) => ({ headers: { ...authorized, "x-long": "x".repeat(length) } });
      expect((await client.send(path, withHeader(12 * 1024))).status).toBe(200);
      const refused = await client.send(path, withHeader(20 * 1024)).then(
        ({ status }) => status,
        () => 431,
      );
      expect([400, 431]).toContain(refused);
      await using next = await open(program);
      expect((await next.send(path, { headers: authorized })).status).toBe(200);
    });

    test("closes idle connections earlier than the server does", async () => {
      const { headers } = await fetch(`${server.url}/healthz`);
      const serverSeconds = /timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1];
      expect(readFile(page)).toContain(`before the ${serverSeconds} seconds of the server`);
      const file = readFile(program === "caddy" ? "deploy/Caddyfile" : "deploy/nginx.conf");
      const proxySeconds = /keepalive(?:_timeout)? (\d+)s/.exec(file)?.[1];
      expect(Number(proxySeconds)).toBeLessThan(Number(serverSeconds));
    });
  });
});

/** The settings that the page names for a server behind a proxy. */
function readSettings(publicUrl: string): Record<string, string> {
  const section = readFile(page).split("## Behind a proxy\n")[1] ?? "";
  const lines = [...section.matchAll(/^(SITEWARD_\w+)=(\S+)/gm)].map(
    ([, name = "", value = ""]) => [name, value] as const,
  );
  const settings = Object.fromEntries(lines);
  expect(Object.keys(settings)).toEqual(["SITEWARD_TRUST_PROXY", "SITEWARD_PUBLIC_URL"]);
  return { ...settings, SITEWARD_PUBLIC_URL: publicUrl };
}
