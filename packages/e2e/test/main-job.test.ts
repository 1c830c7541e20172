import { isApiError, Siteward, type Website } from "@siteward/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { mapConcurrently } from "./support/map-concurrently.ts";
import { readRealDomains, type Spoiling, spoilings } from "./support/real-domains.ts";

const domains = readRealDomains();
const concurrency = 16;

let server: BuiltServer;

beforeAll(async () => {
  server = await startBuiltServer();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe("10,000 real domains through the SDK against the served API", () => {
  let siteward: Siteward;
  let created: Website[] = [];

  beforeAll(async () => {
    const { apiKey } = await server.createAccount();
    siteward = new Siteward({ apiKey, baseUrl: server.url });
    created = await mapConcurrently(domains, concurrency, (domain) => siteward.websites.create({ domain }));
  });

  test("every domain is created, with ids from 1 without gaps", () => {
    expect(created.map(({ domain }) => domain)).toEqual(domains);
    expect(created.map(({ id }) => id).toSorted((left, right) => left - right)).toEqual(
      domains.map((_, index) => index + 1),
    );
  });

  test("the entire list contains each record once, in order of creation", async () => {
    const listed = await collect(siteward.websites.list({ sort: "asc" }));
    expect(listed).toEqual(created.toSorted((left, right) => left.id - right.id));
  });

  test("the default order is newest first", async () => {
    const listed = await collect(siteward.websites.list());
    expect(listed.map(({ id }) => id)).toEqual(domains.map((_, index) => domains.length - index));
  });

  test("sorted by domain, the list is in byte order", async () => {
    const listed = await collect(siteward.websites.list({ sort_by: "domain", sort: "asc" }));
    expect(listed.map(({ domain }) => domain)).toEqual(domains.toSorted(byBytes));
  });

  test.for(["google", "GOOGLE", "co.uk", "-", "x", "zz", "%", "_", "no-such-domain-anywhere"])(
    "a search for %j finds exactly the domains that contain it",
    async (search) => {
      const expected = domains.filter((domain) => domain.includes(search.toLowerCase())).toSorted(byBytes);
      const found = await collect(siteward.websites.list({ search, sort_by: "domain", sort: "asc" }));
      expect(found.map(({ domain }) => domain)).toEqual(expected);
      const newestFirst = await collect(siteward.websites.list({ search }));
      expect(newestFirst.map(({ domain }) => domain).toSorted(byBytes)).toEqual(expected);
      expect((await siteward.websites.list({ search })).meta.total).toBe(expected.length);
    },
  );

  test("every tenth record is updated, and only what was sent changes", async () => {
    const chosen = created.filter((_, index) => index % 10 === 0);
    const change = { privacy: 1, exclude_ips: ["203.0.113.9/24"], exclude_params: ["utm_*"] } as const;
    const updated = await mapConcurrently(chosen, concurrency, ({ id }) =>
      siteward.websites.update(id, {
        ...change,
        exclude_ips: [...change.exclude_ips],
        exclude_params: [...change.exclude_params],
      }),
    );
    for (const [index, website] of updated.entries()) {
      const before = chosen[index];
      expect(website).toEqual({
        ...before,
        privacy: 1,
        exclude_ips: ["203.0.113.0/24"],
        exclude_params: ["utm_*"],
        updated_at: expect.any(String),
      });
    }
  });

  test("every second record is deleted, and exactly the others remain", async () => {
    const chosen = created.filter((_, index) => index % 2 === 0);
    await mapConcurrently(chosen, concurrency, ({ id }) => siteward.websites.delete(id));
    const left = await collect(siteward.websites.list({ sort: "asc" }));
    const expected = created.filter((_, index) => index % 2 === 1).map(({ id }) => id);
    expect(left.map(({ id }) => id)).toEqual(expected.toSorted((one, other) => one - other));
    expect((await siteward.account.get()).websites.count).toBe(expected.length);
  });
});

describe("2,000 of the domains mixed with 1,000 invalid lines", () => {
  const valid = domains.slice(0, 2_000);
  const kinds: readonly Spoiling[] = Object.values(spoilings);
  const spoiled = new Map<string, { kind: Spoiling; domain: string }>();
  for (let index = 0; index < 1_000; index += 1) {
    const kind = kinds[index % kinds.length];
    const domain = domains[index * 7];
    if (kind !== undefined && domain !== undefined) spoiled.set(kind.spoil(domain, index), { kind, domain });
  }

  test("each invalid line gets a 422 that names the field, the reason and what to send instead, and nothing else is lost", async () => {
    expect(spoiled.size).toBe(1_000);
    const { apiKey } = await server.createAccount();
    const siteward = new Siteward({ apiKey, baseUrl: server.url });
    const lines = mix(valid, [...spoiled.keys()]);
    const accepted: string[] = [];
    await mapConcurrently(lines, concurrency, async (line) => {
      const spoiling = spoiled.get(line);
      if (spoiling === undefined) accepted.push((await siteward.websites.create({ domain: line })).domain);
      else expectRefusal(await refusalOf(siteward, line), spoiling);
    });
    expect(accepted.toSorted()).toEqual(valid.toSorted());
    const listed = await collect(siteward.websites.list({ sort: "asc" }));
    expect(listed.map(({ domain }) => domain).toSorted()).toEqual(valid.toSorted());
    expect(listed.map(({ id }) => id)).toEqual(valid.map((_, index) => index + 1));
  });
});

async function refusalOf(siteward: Siteward, domain: string): Promise<unknown> {
  return siteward.websites.create({ domain }).then(
    (website) => website,
    (error: unknown) => error,
  );
}

function expectRefusal(refusal: unknown, { kind, domain }: { kind: Spoiling; domain: string }): void {
  if (!isApiError(refusal, "validation_failed")) throw new Error(`Expected a refusal, not ${JSON.stringify(refusal)}`);
  expect(refusal.status).toBe(422);
  expect(Object.keys(refusal.errors ?? {})).toEqual(["domain"]);
  const [message = ""] = refusal.errors?.["domain"] ?? [];
  expect(message).toMatch(kind.reason);
  expect(message).toContain(kind.remedy(domain));
}

/** Distributes the second list evenly in the first. */
function mix(lines: readonly string[], others: readonly string[]): string[] {
  const every = Math.floor(lines.length / others.length);
  return lines.flatMap((line, index) => {
    const other = index % every === 0 ? others[index / every] : undefined;
    return other === undefined ? [line] : [line, other];
  });
}

async function collect(list: AsyncIterable<Website>): Promise<Website[]> {
  const websites: Website[] = [];
  for await (const website of list) websites.push(website);
  return websites;
}

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
