import { createRequire } from "node:module";
import process from "node:process";
import {
  ApiError,
  ConnectionError,
  isApiError,
  isSitewardError,
  isWellFormedApiKey,
  Privacy,
  Siteward,
  type SitewardError,
  type SitewardOptions,
  toCanonicalDomain,
} from "@siteward/sdk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { toUnicodeDomain } from "@siteward/sdk/unicode";
import type { Addresses } from "./addresses.ts";

/**
 * Calls everything that the SDK has, and prints what came of each call as JSON. Every runtime runs this file next to the
 * installed package, so it imports nothing else.
 */
// The arguments are those of `sdk.test.ts`.
const [apiKey = "", addressesJson = ""] = process.argv.slice(2);
const at = JSON.parse(addressesJson) as Addresses;
const siteward = connect(at.service);

const outcomes: Record<string, unknown> = {};

await record("well-formed key", async () => isWellFormedApiKey(apiKey));
await record("domains", async () => {
  const domain = toCanonicalDomain("Bücher.example");
  return [domain, toUnicodeDomain(domain)];
});
await record("a client without options in the environment", async () => new Siteward({ apiKey }).baseUrl);
await record("an unknown option", async () => new Siteward(Object.assign({ apiKey }, { baseURL: at.service })));
await record("account.get", async () => (await siteward.account.get()).websites.count);
await record("websites.create", async () => {
  const { data, response } = await siteward.websites.create({ domain: "one.example.com" }).withResponse();
  return [data.id, response.status, response.headers.get("content-type"), typeof response.etag, response.retryCount];
});
await record("websites.create with a key", async () => {
  const create = () => siteward.websites.create({ domain: "two.example.com" }, { idempotencyKey: "smoke" });
  return [(await create()).id, (await create()).id];
});
await record("websites.get", async () => (await siteward.websites.get(1)).domain);
await record("websites.update", async () => {
  const { response } = await siteward.websites.get(1).withResponse();
  const { exclude_ips } = await siteward.websites.update(
    1,
    { exclude_ips: ["203.0.113.7"] },
    { ifMatch: response.etag },
  );
  return exclude_ips;
});
await record("websites.update with an old tag", () =>
  siteward.websites.update(1, { email: 1 }, { ifMatch: '"0-0-0"' }),
);
await record("websites.create of many", async () => {
  const domains = Array.from({ length: 20 }, (_, index) => `many-${index}.example.com`);
  const created = await Promise.all(domains.map((domain) => siteward.websites.create({ domain })));
  return new Set(created.map(({ id }) => id)).size;
});
await record("websites.update of a record", async () => {
  const website = await siteward.websites.get(1);
  return (await siteward.websites.update(1, { ...website, email: 1, exclude_ips: null })).exclude_ips;
});
await record("websites.update of another domain", async () => {
  const { domain: _domain, ...website } = await siteward.websites.get(1);
  const other: string = "other.example.com";
  return await siteward.websites.update(1, { ...website, domain: other });
});
await record("websites.getByDomain", async () => {
  const found = await siteward.websites.getByDomain("ONE.example.com");
  return [found?.id, await siteward.websites.getByDomain("unknown.example.com")];
});
await record("websites.upsert", async () => {
  const input = { domain: "upsert.example.com", privacy: Privacy.Private };
  const created = await siteward.websites.upsert(input).withResponse();
  const updated = await siteward.websites.upsert(input).withResponse();
  await siteward.websites.delete(updated.data.id);
  return [created.response.status, updated.response.status, updated.data.id === created.data.id];
});
await record("request", async () => {
  const { data } = await siteward.request<{ data: unknown[] }>({
    method: "GET",
    path: "/api/v1/websites",
    query: { search: "many", per_page: 25 },
  });
  return data.length;
});
await record("websites.list().pages", async () => {
  const lengths: number[] = [];
  for await (const page of siteward.websites.list({ per_page: 10 }).pages()) lengths.push(page.data.length);
  return lengths;
});
await record("websites.list", async () => {
  const first = await siteward.websites.list({ sort: "asc", per_page: 10 });
  const second = await first.nextPage();
  return [first.data[0]?.domain, first.hasNextPage(), second?.data.length, (await second?.nextPage())?.data.length];
});
await record("websites.list, iterated", async () => {
  let count = 0;
  for await (const website of siteward.websites.list({ search: "many" })) count += website.domain.length > 0 ? 1 : 0;
  return count;
});
await record("websites.list().toArray", async () => (await siteward.websites.list().toArray({ limit: 3 })).length);
await record("websites.delete", () => siteward.websites.delete(2));
await record("an unknown id", () => siteward.websites.get(2));
await record("a taken domain", async () => {
  try {
    return await siteward.websites.create({ domain: "one.example.com" });
  } catch (error) {
    return isApiError(error, "domain_taken") && error.problem?.website_id;
  }
});
await record("an invalid field", () => siteward.websites.create({ domain: "no domain" }));
await record("an invalid argument", () => siteward.websites.get(0));
await record("an invalid key", () => connect(at.service, { apiKey: "swk_wrong" }).account.get());
await record("CommonJS", async () => {
  // The copy for CommonJS has the exports of the other.
  const copy = createRequire(import.meta.url)("@siteward/sdk") as { readonly Siteward: typeof Siteward };
  const other = new copy.Siteward({ apiKey, baseUrl: at.service });
  const error: unknown = await other.websites.get(2).catch((reason: unknown) => reason);
  return [isSitewardError(error), isApiError(error, "not_found")];
});
await record("the fake for tests", async () => {
  const fake = createFakeSiteward({ websites: [{ domain: "first.example.com" }] });
  const tested = new Siteward({ ...fake.clientOptions, maxRetries: 1 });
  fake.failNext({ code: "unavailable" });
  const { data, response } = await tested.websites.upsert({ domain: "second.example.com" }).withResponse();
  const refusal: unknown = await tested.websites.create({ domain: "no domain" }).catch((error: unknown) => error);
  return [data.id, response.retryCount, fake.websites.length, isApiError(refusal, "validation_failed")];
});

await record("a retry", async () => {
  const { data, response } = await connect(at.busyOnce, { maxRetries: 2 }).websites.get(7).withResponse();
  return [data.id, response.retryCount];
});
await record("hooks and a log", async () => {
  const events: unknown[] = [];
  const note = (name: string) => (event: { attempt: number }) => events.push(`${name} ${event.attempt}`);
  const log = (message: string) => events.push(message.replace(/http:\S+/, "…"));
  const hooks = { onRequest: note("request"), onResponse: note("response"), onRetry: note("retry") };
  const logger = { debug: log, info: log, warn: log, error: log };
  const noticed = connect(at.busyOnce, { maxRetries: 1 }).withOptions({ ...hooks, logger });
  await noticed.websites.list({ search: "secret" });
  return events;
});
await record("a refused connection", () => connect(at.nobody).account.get());
await record("an unknown host", () => connect("http://siteward.invalid").account.get());
await record("a closed connection", () => connect(at.closing).account.get());
await record("a cut response", () => connect(at.cutting).account.get());
await record("bytes that are not HTTP", () => connect(at.garbage).account.get());
await record("https at a port for http", async () => {
  // Whether the request counts as sent depends on the runtime. Only some say that the handshake failed.
  const call = connect(at.service.replace("http:", "https:")).account.get();
  return await call.catch((error: unknown) => isSitewardError(error) && error.code);
});
await record("a redirect", () => connect(at.redirecting).account.get());
await record("no response", () => connect(at.stalling, { timeoutMs: 200 }).account.get());
await record("half a response", () => connect(at.stallingBody, { timeoutMs: 200 }).account.get());
await record("an aborted call", async () => {
  const controller = new AbortController();
  const call = connect(at.stalling).account.get({ signal: controller.signal });
  setTimeout(() => controller.abort("enough"), 50);
  return await call;
});
await record("an aborted wait", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort("enough"), 50);
  return await connect(at.busy, { maxRetries: 9 }).account.get({ signal: controller.signal });
});
await record("a signal that was aborted before", () => siteward.account.get({ signal: AbortSignal.abort("before") }));
await record("a signal with a timeout", () => connect(at.stalling).account.get({ signal: AbortSignal.timeout(50) }));

console.log(JSON.stringify(outcomes));

function connect(baseUrl: string, options: Partial<SitewardOptions> = {}): Siteward {
  return new Siteward({ apiKey, baseUrl, maxRetries: 0, timeoutMs: 20_000, ...options });
}

/** Records the result of a call, or what of its error does not depend on the runtime. */
async function record(name: string, call: () => PromiseLike<unknown>): Promise<void> {
  try {
    outcomes[name] = (await call()) ?? null;
  } catch (error) {
    outcomes[name] = isSitewardError(error) ? describe(error) : String(error);
  }
}

function describe(error: SitewardError): object {
  const { name, code, method, attempts, cause } = error;
  const status = error instanceof ApiError ? error.status : undefined;
  const requestSent = error instanceof ConnectionError ? error.requestSent : undefined;
  const reason = code !== "aborted" ? undefined : isNamed(cause) ? cause.name : cause;
  const showsKey = `${error} ${error.stack} ${JSON.stringify(error)}`.includes(apiKey) ? true : undefined;
  return { name, code, method, attempts, status, requestSent, reason, showsKey };
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === "object" && value !== null && "name" in value;
}
