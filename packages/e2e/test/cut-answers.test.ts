import { ConnectionError, Siteward, type Website } from "@siteward/sdk";
import { type Passage, type ProxiedConnection, startProxy } from "@siteward/testing/proxy";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { mapConcurrently } from "./support/map-concurrently.ts";

const concurrency = 64;
/** How many bytes are between two places where an answer is cut. */
const everyBytes = 3;

let server: BuiltServer;
let proxy: Awaited<ReturnType<typeof startProxy>>;
/** How many bytes the last answer had. */
let answerLength = 0;

beforeAll(async () => {
  server = await startBuiltServer();
  proxy = await startProxy(server.url, cutAsAsked);
});

afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

test("wherever the answer to a create is cut, the SDK retries it, gets the first answer, and nothing is created twice", async () => {
  const { siteward, direct, cuts } = await prepare();
  const results = await mapConcurrently(cuts, concurrency, async (length) =>
    siteward.websites.create({ domain: domainOf(length) }, cut("first", length)).withResponse(),
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
  const results = await mapConcurrently(cuts, concurrency, async (length) => {
    const input = { domain: domainOf(length) };
    const idempotencyKey = `cut-${length}`;
    const options = { ...cut("every", length), idempotencyKey, maxRetries: 1 };
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

/** Says in the request after how many bytes the answers to it are cut. Each request has a connection of its own. */
function cut(attempts: "first" | "every", length: number): { headers: Record<string, string> } {
  return { headers: { "x-cut": `${attempts} ${length}`, connection: "close" } };
}

/** Ends or resets the connection in the middle of an answer, as its request says. */
function cutAsAsked({ client, cut: reset }: ProxiedConnection): Passage {
  let limit = Number.POSITIVE_INFINITY;
  let passed = 0;
  return {
    sent: (bytes) => {
      const head = bytes.toString("latin1");
      const [, attempts, length] = /^x-cut: (\w+) (\d+)\r?$/im.exec(head) ?? [];
      const isRetry = /^x-siteward-retry-count:/im.test(head);
      if (length !== undefined && (attempts === "every" || !isRetry)) limit = Number(length);
      return bytes;
    },
    answered: (bytes) => {
      const left = limit - passed;
      passed += bytes.length;
      answerLength = passed;
      if (bytes.length <= left) return bytes;
      if (left < 0) return undefined;
      if (limit % 2 === 0) client.end(bytes.subarray(0, left));
      else client.write(bytes.subarray(0, left), reset);
      // What is cut stays cut.
      limit = -1;
      return undefined;
    },
  };
}

/** Creates an account, and returns the lengths to which the answer to a create is cut. */
async function prepare(): Promise<{ siteward: Siteward; direct: Siteward; cuts: readonly number[] }> {
  const { apiKey } = await server.createAccount();
  const siteward = new Siteward({ apiKey, baseUrl: proxy.url });
  const direct = new Siteward({ apiKey, baseUrl: server.url });
  const probe = await siteward.websites.create({ domain: domainOf(0) }, { headers: { connection: "close" } });
  await direct.websites.delete(probe.id);
  expect(answerLength).toBeGreaterThan(500);
  return { siteward, direct, cuts: cutsOf(answerLength) };
}

/** The lengths to which an answer is cut: nothing, many in between, and all but its last byte. */
function cutsOf(length: number): number[] {
  const cuts = Array.from({ length: Math.ceil(length / everyBytes) }, (_, index) => index * everyBytes);
  return [...new Set([...cuts, length - 1])];
}

function domainOf(length: number): string {
  return `cut-${String(length).padStart(4, "0")}.example.com`;
}

async function listAll(siteward: Siteward): Promise<Website[]> {
  return siteward.websites.list({ sort: "asc" }).toArray({ limit: Number.POSITIVE_INFINITY });
}
