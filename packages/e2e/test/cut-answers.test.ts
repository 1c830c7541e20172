import { ConnectionError, Siteward, type Website } from "@siteward/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { type CuttingProxy, startCuttingProxy } from "./support/cutting-proxy.ts";
import { mapConcurrently } from "./support/map-concurrently.ts";

const concurrency = 64;

let server: BuiltServer;
let proxy: CuttingProxy;

beforeAll(async () => {
  server = await startBuiltServer();
  proxy = await startCuttingProxy(server.url, (head) => {
    const isRetry = /^x-siteward-retry-count:/im.test(head);
    const [, attempts, missingBytes = "0"] = /^x-cut: (\w+) (\d+)\r?$/im.exec(head) ?? [];
    return attempts === "first" && isRetry ? 0 : Number(missingBytes);
  });
});

afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

test("wherever the answer to a create is cut, the SDK retries it, gets the first answer, and nothing is created twice", async () => {
  const { siteward, direct, cuts } = await prepare();
  const results = await mapConcurrently(cuts, concurrency, async (missingBytes) =>
    siteward.websites.create({ domain: domainOf(missingBytes) }, cut("first", missingBytes)).withResponse(),
  );
  expect(results.map(({ data }) => data.domain)).toEqual(cuts.map(domainOf));
  for (const { data, response } of results) {
    expect(response).toMatchObject({ status: 201, retryCount: 1 });
    expect(response.etag).toMatch(new RegExp(`^"\\d+-${data.id}-1"$`));
    expect(response.headers.get("idempotency-replayed")).toBe("true");
    expect(response.headers.get("location")).toMatch(new RegExp(`/api/v1/websites/${data.id}$`));
  }
  expect(await listAll(direct)).toEqual(results.map(({ data }) => data).toSorted((one, other) => one.id - other.id));
});

test("if every answer of a call is cut, it fails as sent, and repeating it with its key gives the first answer", async () => {
  const { siteward, direct, cuts } = await prepare();
  const results = await mapConcurrently(cuts, concurrency, async (missingBytes) => {
    const input = { domain: domainOf(missingBytes) };
    const idempotencyKey = `cut-${missingBytes}`;
    const options = { ...cut("every", missingBytes), idempotencyKey, maxRetries: 1 };
    const failure: unknown = await siteward.websites.create(input, options).catch((error: unknown) => error);
    return { failure, repeated: await direct.websites.create(input, { idempotencyKey }).withResponse() };
  });
  for (const { failure, repeated } of results) {
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ requestSent: true });
    expect(repeated.response.headers.get("idempotency-replayed")).toBe("true");
  }
  const created = results.map(({ repeated }) => repeated.data);
  expect(await listAll(direct)).toEqual(created.toSorted((one, other) => one.id - other.id));
});

/**
 * Creates an account, and returns every number of bytes that can be missing at the end of the answer to a create. IDs of several
 * digits make some answers a little longer than the first.
 */
async function prepare(): Promise<{ siteward: Siteward; direct: Siteward; cuts: readonly number[] }> {
  const { apiKey } = await server.createAccount();
  const siteward = new Siteward({ apiKey, baseUrl: proxy.url });
  const direct = new Siteward({ apiKey, baseUrl: server.url });
  const probe = await siteward.websites.create({ domain: domainOf(0) }, { headers: { connection: "close" } });
  await direct.websites.delete(probe.id);
  const bytes = proxy.answerBytes.at(-1) ?? 0;
  expect(bytes).toBeGreaterThan(500);
  return { siteward, direct, cuts: Array.from({ length: bytes + 16 }, (_, index) => index + 1) };
}

/** Says in the request how much of the answers to it is missing. Each request has a connection of its own. */
function cut(attempts: "first" | "every", missingBytes: number): { headers: Record<string, string> } {
  return { headers: { "x-cut": `${attempts} ${missingBytes}`, connection: "close" } };
}

function domainOf(missingBytes: number): string {
  return `cut-${String(missingBytes).padStart(4, "0")}.example.com`;
}

async function listAll(siteward: Siteward): Promise<Website[]> {
  return siteward.websites.list({ sort: "asc" }).toArray({ limit: Number.POSITIVE_INFINITY });
}
