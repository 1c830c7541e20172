import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { RequestEvent, ResponseEvent, RetryEvent } from "../src/hooks/hooks.ts";
import type { Logger, LogLevel } from "../src/hooks/log.ts";
import { resolveSitewardOptions, type SitewardOptions } from "../src/options/siteward-options.ts";
import type { Send } from "../src/request/send.ts";
import { Siteward } from "../src/siteward.ts";
import { createLoneSend } from "./support/create-lone-send.ts";
import { recordTiming } from "./support/recorded-timing.ts";
import { empty, hangUp, json, problem, serve, stall } from "./support/serve.ts";
import { website } from "./support/website.ts";

const apiKey = "swk_secret";
const reading = { route: { method: "GET", path: "/api/v1/websites" }, query: { search: "mine" } };
const rateLimit = { "ratelimit-policy": '"default";q=600;w=60', ratelimit: '"default";r=599;t=1' };

describe("hooks", () => {
  test("see each attempt of a call that is retried, in order, with its numbers", async () => {
    await using server = await serve(
      problem(503, "unavailable", {}, { "x-request-id": "request-1", ...rateLimit }),
      hangUp,
      json(200, { data: [] }, { "x-request-id": "request-3" }),
    );
    const events: [string, RequestEvent | ResponseEvent | RetryEvent][] = [];
    const send = connect({
      baseUrl: server.baseUrl,
      onRequest: (event) => events.push(["request", event]),
      onResponse: (event) => events.push(["response", event]),
      onRetry: (event) => events.push(["retry", event]),
    });
    await send(reading);
    const attempt = (number: number) => ({
      method: "GET",
      url: `${server.baseUrl}/api/v1/websites`,
      attempt: number,
    });
    const limit = { limit: 600, remaining: 599, resetMs: 1_000 };
    const noLimit = { rateLimit: undefined, durationMs: 0 };
    expect(events).toEqual([
      ["request", attempt(1)],
      ["response", { ...attempt(1), status: 503, requestId: "request-1", durationMs: 0, rateLimit: limit }],
      ["retry", { ...attempt(1), error: expect.objectContaining({ code: "unavailable" }), delayMs: 250 }],
      ["request", attempt(2)],
      ["retry", { ...attempt(2), error: expect.objectContaining({ code: "connection_failed" }), delayMs: 500 }],
      ["request", attempt(3)],
      ["response", { ...attempt(3), status: 200, requestId: "request-3", ...noLimit }],
    ]);
  });

  test("see how long an attempt took, also by fake timers that a test starts after it created the client", async () => {
    const durations: number[] = [];
    const fetch = async () => {
      vi.setSystemTime(Date.now() + 5_000);
      return Response.json({ data: website(7) });
    };
    const onResponse = ({ durationMs }: ResponseEvent) => durations.push(durationMs);
    const siteward = new Siteward({ apiKey, fetch, onResponse });
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    await siteward.websites.get(7);
    expect(durations).toEqual([5_000]);
  });

  test("see no response of an attempt that timed out, even if fetch ignores that it ended", async () => {
    const events: string[] = [];
    let answer = (_response: Response): void => {};
    const siteward = new Siteward({
      apiKey,
      maxRetries: 0,
      timeoutMs: 20,
      fetch: () => new Promise((resolve) => (answer = resolve)),
      onResponse: () => events.push("response"),
    });
    await expect(siteward.account.get()).rejects.toMatchObject({ code: "timeout" });
    answer(Response.json({ data: {} }));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(events).toEqual([]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("broken hook");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("broken hook");
      },
    ],
  ])("change nothing if one %s, and its error is passed to logger.error", async (_name, hook) => {
    await using server = await serve(empty(502), json(200, { data: website(7) }));
    const lines: unknown[] = [];
    const logger = { ...silent, error: (...line: unknown[]) => lines.push(line) };
    const options = { baseUrl: server.baseUrl, onRequest: hook, onResponse: hook, onRetry: hook, logger };
    await expect(connect(options)(reading)).resolves.toMatchObject({ status: 200 });
    const broken = (name: string) => [
      `${name} failed: Error: broken hook`,
      expect.objectContaining({ message: "broken hook" }),
    ];
    expect(lines).toEqual(["onRequest", "onResponse", "onRetry", "onRequest", "onResponse"].map(broken));
  });

  test("are not awaited", async () => {
    await using server = await serve(json(200, { data: website(7) }));
    const forever = () => new Promise(() => {});
    const siteward = new Siteward({ apiKey, baseUrl: server.baseUrl, onRequest: forever, onResponse: forever });
    expect((await siteward.websites.get(7)).id).toBe(7);
  });

  test("change nothing if the logger throws too", async () => {
    await using server = await serve(json(200, { data: website(7) }));
    const broken = (): never => {
      throw new Error("broken");
    };
    const logger = { debug: broken, info: broken, warn: broken, error: broken };
    const siteward = new Siteward({ apiKey, baseUrl: server.baseUrl, onRequest: broken, logger, logLevel: "debug" });
    expect((await siteward.websites.get(7)).id).toBe(7);
  });

  test("end the call if one aborts its signal, before anything is sent", async () => {
    await using server = await serve(json(200, { data: website(7) }));
    const controller = new AbortController();
    const onRequest = () => controller.abort("stop");
    const siteward = new Siteward({ apiKey, baseUrl: server.baseUrl, onRequest });
    const call = siteward.websites.get(7, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: "aborted", cause: "stop", attempts: 1 });
  });
});

describe("the logger", () => {
  const answer = { durationMs: 0, requestId: undefined, rateLimit: undefined };
  const retry = [
    "warn",
    " will be retried in 250 ms after unavailable",
    { attempt: 1, delayMs: 250, code: "unavailable" },
  ] as const;
  const end = ["info", " ended with 200 after 2 attempts in 0.0 s", { attempt: 2, status: 200, elapsedMs: 0 }] as const;
  const attempts = [
    ["debug", " is sent", { attempt: 1 }],
    ["debug", " answered 503 in 0 ms", { ...answer, attempt: 1, status: 503 }],
    retry,
    ["debug", " is sent as attempt 2", { attempt: 2 }],
    ["debug", " answered 200 in 0 ms", { ...answer, attempt: 2, status: 200 }],
    end,
  ] as const;

  test.each([
    ["off", []],
    ["error", []],
    [undefined, [retry]],
    ["warn", [retry]],
    ["info", [retry, end]],
    ["debug", attempts],
  ] as const)(
    "at level %s logs what belongs to the level: the facts in the message, and each of them once in the details",
    async (logLevel, expected) => {
      await using server = await serve(problem(503, "unavailable"), json(200, { data: [] }));
      const { logger, lines } = record();
      await connect({ baseUrl: server.baseUrl, logger, ...level(logLevel) })(reading);
      const url = `${server.baseUrl}/api/v1/websites`;
      expect(lines).toEqual(
        expected.map(([at, happened, details]) => [at, `GET ${url}${happened}`, { method: "GET", url, ...details }]),
      );
    },
  );

  test.each([
    ["off", []],
    ["error", [["error", "onRequest failed: Error: broken hook", expect.objectContaining({ message: "broken hook" })]]],
  ] as const)("at level %s logs of a hook that fails what belongs to the level", async (logLevel, expected) => {
    await using server = await serve(json(200, { data: website(7) }));
    const { logger, lines } = record();
    const onRequest = () => {
      throw new Error("broken hook");
    };
    await new Siteward({ apiKey, baseUrl: server.baseUrl, logger, logLevel, onRequest }).websites.get(7);
    expect(lines).toEqual(expected);
  });

  test("says how a call failed", async () => {
    await using server = await serve(stall);
    const { logger, lines } = record();
    const send = connect({ baseUrl: server.baseUrl, logger, logLevel: "info", maxRetries: 0, timeoutMs: 50 });
    await expect(send(reading)).rejects.toThrow();
    expect(lines).toEqual([
      [
        "info",
        `GET ${server.baseUrl}/api/v1/websites failed with timeout in 0 ms`,
        expect.objectContaining({ code: "timeout", attempt: 1 }),
      ],
    ]);
  });
});

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

function level(logLevel: LogLevel | undefined): { logLevel?: LogLevel } {
  return logLevel === undefined ? {} : { logLevel };
}

/** A logger that keeps what it is called with. */
function record(): { logger: Logger; lines: unknown[] } {
  const lines: unknown[] = [];
  const at =
    (name: string) =>
    (...line: unknown[]) =>
      lines.push([name, ...line]);
  return { logger: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") }, lines };
}

/** Sends with a clock that stands still, and waits that end at once. */
function connect(options: SitewardOptions & { readonly baseUrl: string }): Send {
  return createLoneSend(resolveSitewardOptions({ apiKey, ...options }), recordTiming());
}
