import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { InvalidArgumentError } from "../src/errors/siteward-error.ts";
import type { CallOptions, CreateOptions } from "../src/options/call-options.ts";
import type { ToArrayOptions } from "../src/resources/website-list.ts";
import { Siteward } from "../src/siteward.ts";
import { apiKey, keyOf } from "./support/keys.ts";
import { empty, json, serve } from "./support/serve.ts";

const mistyped = "be an entire API key (swk_…); this one is mistyped";

describe("the environment", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  });

  test("has the API key and the base URL, unless they are passed", async () => {
    await using server = await serve(json(200, { data: {} }));
    vi.stubEnv("SITEWARD_API_KEY", keyOf("environment"));
    vi.stubEnv("SITEWARD_BASE_URL", `${server.baseUrl}/api/v1`);
    await new Siteward().account.get();
    await new Siteward({ apiKey: undefined, baseUrl: undefined }).account.get();
    await new Siteward({ apiKey }).account.get();
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${keyOf("environment")}`,
      `Bearer ${keyOf("environment")}`,
      `Bearer ${apiKey}`,
    ]);
    expect(new Siteward({ baseUrl: "http://other.example" }).baseUrl).toBe("http://other.example");
  });

  test.each([
    ["without the variables", () => {}],
    ["with empty variables", () => vi.stubEnv("SITEWARD_API_KEY", "")],
    ["in a runtime without process", () => vi.stubGlobal("process", undefined)],
    ["in a runtime whose process has no environment", () => vi.stubGlobal("process", {})],
    ["in a runtime that refuses to read the environment", () => vi.stubGlobal("process", { env: refusing() })],
  ])("says what is missing %s, and is not needed if the options are passed", (_name, prepare) => {
    vi.stubEnv("SITEWARD_API_KEY", undefined);
    vi.stubEnv("SITEWARD_BASE_URL", undefined);
    prepare();
    const message = "apiKey is missing. Pass apiKey, or set the environment variable SITEWARD_API_KEY.";
    expect(() => new Siteward()).toThrow(new InvalidArgumentError(message));
    expect(new Siteward({ apiKey }).baseUrl).toBe("http://127.0.0.1:3000");
  });

  test.each([
    ["SITEWARD_API_KEY", { SITEWARD_API_KEY: "swk_a b" }, mistyped],
    [
      "SITEWARD_BASE_URL",
      { SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: "siteward.example.com" },
      'be a URL such as "https://siteward.example.com", without a user name, password, query or fragment',
    ],
  ])("the message about an invalid %s names the variable", (name, variables, requirement) => {
    for (const [variable, value] of Object.entries(variables)) vi.stubEnv(variable, value);
    expect(() => new Siteward()).toThrow(new InvalidArgumentError(`${name} must ${requirement}.`));
    expect(() => new Siteward({ apiKey, baseUrl: "http://siteward.example" })).not.toThrow();
  });
});

const refuse = () => {
  throw new Error('Requires env access to "SITEWARD_API_KEY", run again with the --allow-env flag');
};
const refusing = () => new Proxy({}, { get: refuse });

describe("an unknown option", () => {
  test.each(["baseURL", "timeout", "retries", "constructor", "__proto"])(
    "%s of the client is refused by its name, with the options that exist",
    (name) => {
      expect(() => new Siteward({ apiKey, [name]: "http://siteward.example" })).toThrow(
        new InvalidArgumentError(
          `${name} is not an option. The options are apiKey, baseUrl, fetch, timeoutMs, maxRetries, maxConcurrent, ` +
            "maxResponseBytes, userAgent, headers, onRequest, onResponse, onRetry.",
        ),
      );
    },
  );

  const common = "timeoutMs, maxRetries, signal, waitSignal, headers";
  test.each<[string, (siteward: Siteward) => PromiseLike<unknown>, string, string]>([
    ["get", ({ websites }) => websites.get(7, { ifMatch: '"7-1"' } as object), "ifMatch", common],
    [
      "create",
      ({ websites }) => websites.create({ domain: "a.example" }, { ifMatch: '"7-1"' } as CreateOptions),
      "ifMatch",
      `${common}, idempotencyKey`,
    ],
    [
      "upsert",
      ({ websites }) => websites.upsert({ domain: "a.example" }, { idempotencyKey: "a" } as CallOptions),
      "idempotencyKey",
      common,
    ],
    ["toArray", ({ websites }) => websites.list().toArray({ max: 5 } as object as ToArrayOptions), "max", "limit"],
    [
      "request",
      (siteward) => siteward.request({ method: "PUT", path: "/x", headers: {} } as { method: "PUT"; path: string }),
      "headers",
      "method, path, query, body",
    ],
  ])("of %s is refused before anything is sent", async (_name, call, option, options) => {
    await using server = await serve(empty(204));
    await expect(call(new Siteward({ apiKey, baseUrl: server.baseUrl }))).rejects.toMatchObject({
      code: "invalid_argument",
      message: `${option} is not an option. The options are ${options}.`,
    });
    expect(server.seen).toEqual([]);
  });

  test("that is undefined counts as not passed", async () => {
    await using server = await serve(empty(204));
    const siteward = new Siteward({ apiKey, baseUrl: server.baseUrl, fetch: undefined });
    const options = { signal: undefined, timeoutMs: undefined, headers: undefined, idempotencyKey: undefined };
    await siteward.websites.delete(7, options);
    expect(server.seen).toHaveLength(1);
  });
});

const key = `apiKey must ${mistyped}.`;
const url =
  'baseUrl must be a URL such as "https://siteward.example.com", without a user name, password, query or fragment.';
const time = "timeoutMs must be a whole number of milliseconds from 1 to 2147483647.";
test.each<[object, string]>([
  [{ apiKey: "" }, "apiKey is missing. Pass apiKey, or set the environment variable SITEWARD_API_KEY."],
  [{ apiKey: "nope" }, key],
  [{ apiKey: "swk_ä" }, key],
  [{ apiKey: apiKey.slice(0, -1) }, key],
  [{ apiKey: apiKey.replace("secret", "sercet") }, key],
  [{ apiKey: `"${apiKey}"` }, key],
  [{ apiKey: `Bearer ${apiKey}` }, key],
  [{ apiKey: `${apiKey}\n` }, key],
  [{ baseUrl: "siteward" }, url],
  [{ baseUrl: "ftp://siteward.example" }, url],
  [{ baseUrl: "http://me:pass@siteward.example" }, url],
  [{ baseUrl: "http://siteward.example?a=1" }, url],
  [{ timeoutMs: 0 }, time],
  [{ timeoutMs: 2 ** 31 }, time],
  [{ maxConcurrent: 0 }, "maxConcurrent must be a whole number of at least 1."],
  [{ maxRetries: 0.5 }, "maxRetries must be a whole number of at least 0."],
  [{ userAgent: "a\nb: c" }, "userAgent must contain only visible ASCII characters and single spaces."],
  [{ fetch: "fetch" }, "fetch must be a function."],
  [{ onRequest: {} }, "onRequest must be a function."],
  [{ headers: "x-tenant: 5" }, "headers must be a plain object."],
  [{ headers: { "x-tenant": "secret\nvalue" } }, 'headers: "x-tenant" has a name or value that is not valid in HTTP.'],
  [{ timeoutMs: null }, time],
])("an option that is not valid of the client, %j, is refused by its name", (options, message) => {
  expect(() => new Siteward({ apiKey, ...options })).toThrow(new InvalidArgumentError(message));
});

test.each<[object, string]>([
  [{ signal: new AbortController() }, "signal must be an AbortSignal."],
  [{ signal: { aborted: false } }, "signal must be an AbortSignal."],
  [{ waitSignal: new AbortController() }, "waitSignal must be an AbortSignal."],
  [{ headers: [["x-tenant", "5"]] }, "headers must be a plain object."],
  [{ timeoutMs: Number.NaN }, time],
  [{ maxRetries: -1 }, "maxRetries must be a whole number of at least 0."],
])("an option that is not valid of a call, %j, is refused by its name", async (options, message) => {
  await expect(new Siteward({ apiKey }).account.get(options)).rejects.toThrow(new InvalidArgumentError(message));
});

test.each([
  ["http://siteward.example/api/v1", "http://siteward.example"],
  ["http://siteward.example/api/v1/", "http://siteward.example"],
  ["http://siteward.example/base//api/v1//", "http://siteward.example/base"],
  ["http://siteward.example/api/v1/api/v1", "http://siteward.example/api/v1"],
  ["http://siteward.example/my-api/v1", "http://siteward.example/my-api/v1"],
  ["http://siteward.example/api/v10", "http://siteward.example/api/v10"],
])("the base URL %s is understood as %s, also by a copy", (baseUrl, understood) => {
  const siteward = new Siteward({ apiKey, baseUrl });
  expect([siteward.baseUrl, siteward.withOptions({ maxRetries: 1 }).baseUrl]).toEqual([understood, understood]);
});

test("headers of the client are sent with every request; those of a call win, and the client's own win over both", async () => {
  await using server = await serve(json(200, { data: {} }));
  const headers = { "X-Tenant": "5", "X-Trace": "a", authorization: "Bearer other", "X-None": undefined };
  const siteward = new Siteward({ apiKey, baseUrl: server.baseUrl, headers });
  await siteward.account.get();
  await siteward.account.get({ headers: { "x-trace": "b", Accept: "text/html" } });
  const own = { authorization: `Bearer ${apiKey}`, accept: "application/json, application/problem+json" };
  expect(server.seen[0]?.headers).toMatchObject({ "x-tenant": "5", "x-trace": "a", ...own });
  expect(server.seen[1]?.headers).toMatchObject({ "x-tenant": "5", "x-trace": "b", ...own });
  expect(server.seen[0]?.headers).not.toHaveProperty("x-none");
});

test("withOptions returns a client with these options replaced, and changes nothing of this one", async () => {
  await using server = await serve(json(200, { data: {} }));
  const siteward = new Siteward({ apiKey, baseUrl: server.baseUrl, userAgent: "one", headers: { "x-tenant": "5" } });
  const other = siteward.withOptions({ apiKey: keyOf("other"), userAgent: "two" });
  await other.account.get();
  await siteward.account.get();
  expect(server.seen.map(({ headers }) => [headers.authorization, headers["user-agent"], headers["x-tenant"]])).toEqual(
    [
      [`Bearer ${keyOf("other")}`, expect.stringMatching(/^two siteward-sdk\/\d+\.\d+\.\d+$/), "5"],
      [`Bearer ${apiKey}`, expect.stringMatching(/^one /), "5"],
    ],
  );
});

test("withOptions replaces nothing with an option that is undefined, also if the environment has another value", async () => {
  vi.stubEnv("SITEWARD_API_KEY", keyOf("environment"));
  await using server = await serve(json(200, { data: {} }));
  await server.siteward.withOptions({ apiKey: undefined, baseUrl: undefined, timeoutMs: 5_000 }).account.get();
  vi.unstubAllEnvs();
  expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
});

test("withOptions returns a client that never shows the key either", () => {
  const siteward = new Siteward({ apiKey: keyOf("first"), headers: { "x-secret": "swk_header" } }).withOptions({
    apiKey,
  });
  const shown = inspect(siteward, { depth: 20, showHidden: true, getters: true }) + JSON.stringify(siteward);
  for (const secret of [apiKey, keyOf("first"), "swk_header"]) expect(shown).not.toContain(secret);
  expect(Object.keys(siteward)).toEqual(["baseUrl", "keyPrefix", "websites", "account"]);
});

test("keyPrefix is what an operator sees of the key", () => {
  expect(new Siteward({ apiKey: keyOf("0123456789") }).keyPrefix).toBe("swk_01234567");
});
