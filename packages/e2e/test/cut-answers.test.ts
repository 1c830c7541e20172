import { Siteward } from "@siteward/sdk";
import { type Passage, type ProxiedConnection, startProxy } from "@siteward/testing/proxy";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";

/** How many bytes are between two places where an answer is cut. */
const everyBytes = 3;
/** How many bytes the last answer had. */
let answerLength = 0;

test("wherever the answer to a create is cut, the SDK retries it, gets the first answer, and nothing is created twice", async () => {
  await using server = await startBuiltServer();
  await using proxy = await startProxy(server.url, cutAsAsked);
  const { apiKey } = await server.createAccount();
  const { websites } = new Siteward({ apiKey, baseUrl: proxy.url });
  const { id } = await websites.create({ domain: domainOf(0) }, cut(Infinity));
  expect(answerLength).toBeGreaterThan(500);
  // Nothing, many lengths in between, and all but the last byte.
  const between = Array.from({ length: Math.ceil(answerLength / everyBytes) }, (_, index) => index * everyBytes);
  const cuts = [...new Set([...between, answerLength - 1])];
  await websites.delete(id);

  const results = await Promise.all(
    cuts.map((length) => websites.create({ domain: domainOf(length) }, cut(length)).withResponse()),
  );

  expect(results.map(({ data }) => data.domain)).toEqual(cuts.map(domainOf));
  for (const { data, response } of results) {
    expect(response).toMatchObject({ status: 201, retryCount: 1 });
    expect(response.etag).toMatch(new RegExp(`^"\\d+-${data.id}-1"$`));
    expect(response.headers.get("idempotency-replayed")).toBe("true");
    expect(response.headers.get("location")).toMatch(new RegExp(`/api/v1/websites/${data.id}$`));
  }
  const created = results.map(({ data }) => data).toSorted((one, other) => one.id - other.id);
  expect(await websites.list({ sort: "asc" }).toArray({ limit: Infinity })).toEqual(created);
});

/** Says in the request after how many bytes its first answer is cut. Each request has a connection of its own. */
function cut(length: number): { headers: Record<string, string> } {
  return { headers: { "x-cut": String(length), connection: "close" } };
}

/** Ends or resets the connection in the middle of an answer, as its request says. */
function cutAsAsked({ client, cut: reset }: ProxiedConnection): Passage {
  let limit = Number.POSITIVE_INFINITY;
  let passed = 0;
  return {
    sent: (bytes) => {
      const head = bytes.toString("latin1");
      const [, length] = /^x-cut: (\d+)\r?$/im.exec(head) ?? [];
      if (length !== undefined && !/^x-siteward-retry-count:/im.test(head)) limit = Number(length);
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

function domainOf(length: number): string {
  return `cut-${String(length).padStart(4, "0")}.example.com`;
}
