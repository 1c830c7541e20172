import type { Scope } from "@siteward/contract";
import { type PasswordHasher, RateLimiter } from "@siteward/service";
import { Answer } from "@siteward/testing/answer";
import { createApp } from "../../src/app.ts";
import { ApiKeyCache } from "../../src/auth/api-key-cache.ts";
import { limitInvalidKeys } from "../../src/auth/invalid-keys.ts";
import type { SettingName } from "../../src/config.ts";
import { admitRequests, hashInTurn } from "../../src/door/admission.ts";
import { type ServerTimeouts, serve } from "../../src/door/serve.ts";
import { createLog } from "../../src/log.ts";
import { issueApiKeys } from "../../src/operator/api-keys.ts";
import { readConfig } from "../../src/operator/values.ts";
import type { Storage } from "../../src/storage/interface/storage.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import type { TestEngine } from "./engines.ts";
import { testAuthor, withTestAuthor } from "./storage.ts";

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

interface CallOptions {
  /** Null sends no key. Without it, the key of the first account is sent. */
  readonly key?: string | null;
  readonly form?: Readonly<Record<string, string | number>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestServerOptions {
  readonly timeouts?: ServerTimeouts;
  readonly publicUrl?: string;
  readonly host?: string;
  /** Settings by their environment variable. The limits are off unless they are set here. */
  readonly settings?: Readonly<Partial<Record<SettingName, string>>>;
  /** Invalid API keys a minute of a network. A million if unset. */
  readonly invalidKeyLimit?: number;
  /** The clock of the limits and of what is known of keys, in milliseconds. */
  readonly now?: () => number;
  readonly passwords?: PasswordHasher;
}

/** Tests send more requests than a client should. */
const unlimited = { SITEWARD_RATE_LIMIT: "0", SITEWARD_TRAIL_LIMIT: "0" };

/**
 * Starts a real server on a real database, stopped and deleted after the test: `await using server = await
 * startTestServer(engine)`.
 */
export async function startTestServer(engine: TestEngine, options: TestServerOptions = {}) {
  const database = await engine({ isMigrated: true });
  const { serverLog, log } = keepLog();
  const { logger } = serverLog;
  const config = {
    ...readConfig({ ...unlimited, ...options.settings }),
    publicUrl: options.publicUrl,
  };
  const storage = await openStorage({ ...database, trailLimitMegabytes: config.trailLimit });
  const onWriteError = (error: unknown) => logger.error(error);
  const apiKeys = new ApiKeyCache(storage.apiKeys, { onWriteError, now: options.now ?? Date.now });
  const { timeouts, passwords = hashInTurn() } = options;
  const now = options.now ?? (() => performance.now());
  const failures = limitInvalidKeys(options.invalidKeyLimit ?? 1_000_000, now);
  const rateLimits = new RateLimiter(now);
  const { maxRequests } = config;
  const admissions = admitRequests(maxRequests);
  const app = createApp({ config, storage, apiKeys, failures, rateLimits, admissions, passwords, log: serverLog });
  const address = { host: options.host ?? "127.0.0.1", port: 0, publicUrl: options.publicUrl };
  const server = await serve(app, address, { logger, timeouts });
  const first = await addAccount(storage);
  const callHere = (method: string, path: string, sent: CallOptions = {}) =>
    call(method, `${server.url}${path}`, { key: first.key, ...sent });
  return {
    ...database,
    url: server.url,
    storage: withTestAuthor(storage),
    log,
    /** The first account, and its key with every scope. */
    ...first,
    call: callHere,
    create: (domain: string, sent: CallOptions = {}) =>
      callHere("POST", "/api/v1/websites", { form: { domain }, ...sent }),
    readiness: () => callHere("GET", "/readyz", { key: null }),
    addAccount: (websiteLimit?: number) => addAccount(storage, websiteLimit),
    async addKey(choice: { scopes?: Scope[]; accountId?: number } = {}): Promise<string> {
      const wanted = { accountId: first.accountId, name: "another key", ...choice };
      return (await issueApiKeys(storage, [wanted], testAuthor))[0].key;
    },
    /** Stops accepting connections, and lets the open ones finish. */
    retire: () => server.retire(),
    /** Writes what is buffered, such as the last-used times of keys. */
    flush: () => apiKeys.close(),
    async [Symbol.asyncDispose]() {
      await server.close();
      await apiKeys.close();
      await storage.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** A log in memory. */
function keepLog() {
  let written = "";
  const serverLog = createLog("trace", (text) => {
    written += text;
  });
  const log = {
    get text(): string {
      serverLog.flush();
      return written;
    },
    /** The lines, each parsed as the one JSON object that it must be. */
    get entries(): readonly Record<string, unknown>[] {
      const lines = this.text.split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line));
    },
  };
  return { serverLog, log };
}

async function addAccount(storage: Storage, websiteLimit: number | null = null) {
  const settings = { name: "Test account", email: "test@example.com", websiteLimit };
  const [account] = await storage.accounts.createAll([settings], testAuthor);
  const [{ key }] = await issueApiKeys(storage, [{ accountId: account.id, name: "test key" }], testAuthor);
  return { accountId: account.id, key };
}

async function call(method: string, url: string, { key, form, json, headers }: CallOptions): Promise<Answer> {
  const sent = new Headers(headers);
  if (typeof key === "string") sent.set("Authorization", `Bearer ${key}`);
  if (json !== undefined) sent.set("Content-Type", "application/json");
  // `fetch` adds the content type of a form.
  const fields = Object.entries(form ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const body = form === undefined ? JSON.stringify(json) : new URLSearchParams(fields);
  return Answer.read(await fetch(url, { method, headers: sent, redirect: "manual", ...(body && { body }) }));
}
