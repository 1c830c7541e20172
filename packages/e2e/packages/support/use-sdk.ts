import { createRequire } from "node:module";
import process from "node:process";
import { isDeepStrictEqual } from "node:util";
import { ApiError, ConnectionError, Siteward, SitewardError, type SitewardOptions } from "@siteward/sdk";
import { toUnicodeDomain } from "@siteward/sdk/fields";
import { mirrorWebsites } from "@siteward/sdk/mirror";
import { createFakeSiteward } from "@siteward/sdk/testing";
import type { Addresses } from "./wrong-servers.ts";

/**
 * Uses what depends on the runtime: loading, fetch, its failures, and timers. Prints each call that does not end as it must, as JSON.
 * Every runtime runs this file next to the installed package, so it imports nothing else, and ends by itself.
 */
// The arguments are those of `runtimes.test.ts`.
const [apiKey = "", addressesJson = ""] = process.argv.slice(2);
const at = JSON.parse(addressesJson) as Addresses;
const siteward = connect(at.service);
const differences: object[] = [];

const call = { method: "GET", attempts: 1 };
const aborted = { ...call, name: "AbortError", code: "aborted" };
const apiError = { ...call, name: "ApiError" };
// The errors of Deno have no code that says that no connection was made.
const requestSent = "Deno" in globalThis;
const notConnected = { ...call, name: "ConnectionError", code: "connection_failed", requestSent };
const broken = { ...notConnected, requestSent: true };
const timedOut = { ...call, name: "TimeoutError", code: "timeout" };

await expectOutcome("every call", [201, true, "xn--bcher-kva.example", 1, 1, true, null], async () => {
  const { data, response } = await siteward.websites.create({ domain: "Bücher.example" }).withResponse();
  const updated = await siteward.websites.update(data.id, { privacy: 1 }, { ifMatch: response.etag });
  const found = await siteward.websites.list({ search: "bücher" }).toArray({ limit: 3 });
  const account = await siteward.account.get();
  const isSame = (await siteward.websites.get(data.id)).id === found[0]?.id;
  const deleted = (await siteward.websites.delete(data.id)) ?? null;
  const { status, headers } = response;
  const isJson = headers.get("content-type")?.startsWith("application/json");
  return [status, isJson, data.domain, updated.privacy, account.websites.count, isSame, deleted];
});
await expectOutcome("a client without options in the environment", "http://127.0.0.1:3000", async () => {
  return new Siteward({ apiKey }).baseUrl;
});
await expectOutcome("CommonJS, which has the same classes", true, async () => {
  const required: { readonly Siteward: unknown } = createRequire(import.meta.url)("@siteward/sdk");
  return required.Siteward === Siteward;
});
await expectOutcome("the fake, with a mirror that nobody closes", ["bücher.example", 1, 1, 0], async () => {
  const fake = createFakeSiteward({ websites: [{ domain: "Bücher.example" }] });
  fake.failNext({ code: "unavailable" });
  const { data, response } = await new Siteward(fake.clientOptions).websites.get(1).withResponse();
  let modules = 0;
  const { getBuiltinModule } = process;
  // Without a file, it loads no file system.
  process.getBuiltinModule = ((name: string) => {
    modules += 1;
    return getBuiltinModule(name);
  }) as typeof getBuiltinModule;
  const mirror = await mirrorWebsites(new Siteward(fake.clientOptions));
  return [toUnicodeDomain(data.domain), response.retryCount, mirror.byDomain("bücher.example")?.id, modules];
});
await expectOutcome("an unknown id", { ...apiError, code: "not_found", status: 404 }, () => siteward.websites.get(99));
await expectOutcome("an invalid key", { ...apiError, code: "unauthenticated", status: 401 }, () =>
  connect(at.service, { apiKey: "swk_wrong0000000000000000000000000000iZPib" }).account.get(),
);
await expectOutcome("a retry", [7, 1], async () => {
  const { data, response } = await connect(at.busyOnce, { maxRetries: 2 }).websites.get(7).withResponse();
  return [data.id, response.retryCount];
});
await expectOutcome("a refused connection", notConnected, () => connect(at.nobody).account.get());
await expectOutcome("an unknown host", notConnected, () => connect("http://siteward.invalid").account.get());
await expectOutcome("a closed connection", broken, () => connect(at.closing).account.get());
await expectOutcome("a cut response", broken, () => connect(at.cutting).account.get());
await expectOutcome("bytes that are not HTTP", broken, () => connect(at.garbage).account.get());
await expectOutcome("https at a port for http", "connection_failed", async () => {
  // Whether the request counts as sent depends on the runtime. Only some say that the handshake failed.
  const handshake = connect(at.service.replace("http:", "https:")).account.get();
  return await handshake.catch((error: unknown) => error instanceof SitewardError && error.code);
});
await expectOutcome("a redirect", { ...apiError, code: "unexpected_response", status: 302 }, () =>
  connect(at.redirecting).account.get(),
);
await expectOutcome("no response", timedOut, () => connect(at.stalling, { timeoutMs: 200 }).account.get());
await expectOutcome("half a response", timedOut, () => connect(at.stallingBody, { timeoutMs: 200 }).account.get());
await expectOutcome("an aborted call", { ...aborted, reason: "enough" }, () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort("enough"), 50);
  return connect(at.stalling).account.get({ signal: controller.signal });
});
await expectOutcome("an aborted wait", { ...aborted, reason: "TimeoutError" }, () =>
  connect(at.busy, { maxRetries: 9 }).account.get({ signal: AbortSignal.timeout(50) }),
);
await expectOutcome("a signal that was aborted before", { ...aborted, attempts: 0, reason: "before" }, () =>
  siteward.account.get({ signal: AbortSignal.abort("before") }),
);

console.log(JSON.stringify(differences));

function connect(baseUrl: string, options: Partial<SitewardOptions> = {}): Siteward {
  return new Siteward({ apiKey, baseUrl, maxRetries: 0, timeoutMs: 20_000, ...options });
}

/** Compares the result of a call, or what of its error does not depend on the runtime. */
async function expectOutcome(name: string, expected: unknown, run: () => PromiseLike<unknown>): Promise<void> {
  const outcome = await Promise.resolve(run()).catch(describe);
  if (!isDeepStrictEqual(outcome, expected)) differences.push({ name, outcome, expected });
}

function describe(error: unknown): unknown {
  if (!(error instanceof SitewardError)) return String(error);
  const { name, code, method, attempts, cause } = error;
  const reason = code === "aborted" && (cause instanceof Error ? cause.name : cause);
  return {
    ...{ method, attempts, name, code },
    ...(error instanceof ApiError && { status: error.status }),
    ...(error instanceof ConnectionError && { requestSent: error.requestSent }),
    ...(reason !== false && { reason }),
    ...(`${error} ${error.stack} ${JSON.stringify(error)}`.includes(apiKey) && { showsKey: true }),
  };
}
