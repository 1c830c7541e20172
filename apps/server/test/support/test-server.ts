import type { Scope } from "@siteward/contract";
import { type PasswordHasher, RateLimiter } from "@siteward/service";
import { Answer } from "@siteward/testing/answer";
import { createApp } from "../../src/app.ts";
import { ApiKeyCache } from "../../src/auth/api-key-cache.ts";
import { limitInvalidKeys } from "../../src/auth/failed-authentications.ts";
import { queuePasswords } from "../../src/auth/passwords.ts";
import { readConfig, type SettingName } from "../../src/config.ts";
import { Admission } from "../../src/door/admission.ts";
import { type ServerTimeouts, serve, toTimeouts } from "../../src/door/serve.ts";
import { createLog } from "../../src/log.ts";
import { issueApiKey } from "../../src/operator/new-api-key.ts";
import type { Storage } from "../../src/storage/interface/storage.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import { LogLines } from "./log-lines.ts";
import { type TestStorage, testAuthor, withTestAuthor } from "./storage/with-test-author.ts";
import type { TestEngine } from "./test-database.ts";

/**
 * A real server on a real database, stopped and deleted after the test: `await using server = await
 * startTestServer(engine)`.
 */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly storage: TestStorage;
  readonly databaseUrl: string;
  /** Runs statements on the database without the program's knowledge. */
  execute(statements: string): Promise<unknown>;
  readonly log: LogLines;
  /** A key of the first account with every scope. Calls use it unless they name another. */
  readonly key: string;
  readonly accountId: number;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  addAccount(websiteLimit?: number): Promise<{ accountId: number; key: string }>;
  addKey(choice?: { accountId?: number; scopes?: Scope[]; expiresAt?: Date }): Promise<string>;
  /** Writes what is buffered, such as the last-used times of keys. */
  flush(): Promise<void>;
}

interface CallOptions {
  /** Null sends no key. */
  readonly key?: string | null;
  /** The fields of a form, or the text of a form. */
  readonly form?: Readonly<Record<string, string | number>> | string;
  readonly json?: unknown;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestServerOptions {
  readonly timeouts?: ServerTimeouts;
  readonly publicUrl?: string;
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

export async function startTestServer(engine: TestEngine, options: TestServerOptions = {}): Promise<TestServer> {
  const database = await engine({ isMigrated: true });
  const { databaseUrl } = database;
  const serverLog = createLog("trace", (text) => log.write(text));
  const log = new LogLines(serverLog.flush);
  const { logger } = serverLog;
  const config = {
    ...readConfig({ ...unlimited, ...options.settings }),
    publicUrl: options.publicUrl,
    nodeEnv: "test" as const,
  };
  const storage = await openStorage({ databaseUrl, trailLimitMegabytes: config.trailLimit });
  const onWriteError = (error: unknown) => logger.error(error);
  const apiKeys = new ApiKeyCache(storage.apiKeys, { onWriteError, now: options.now ?? Date.now });
  const { timeouts = toTimeouts(config), passwords = queuePasswords() } = options;
  const now = options.now ?? (() => performance.now());
  const failures = limitInvalidKeys(options.invalidKeyLimit ?? 1_000_000, now);
  const rateLimits = new RateLimiter(now);
  const { maxRequests } = config;
  const admissions = { reads: new Admission(maxRequests), writes: new Admission(maxRequests) };
  const app = createApp({ config, storage, apiKeys, failures, rateLimits, admissions, passwords, log: serverLog });
  const address = { host: "127.0.0.1", port: 0, publicUrl: options.publicUrl };
  const server = await serve(app, address, { logger, timeouts });
  const first = await addAccount(storage);
  return {
    url: server.url,
    storage: withTestAuthor(storage),
    databaseUrl,
    execute: database.execute,
    log,
    ...first,
    call: (method, path, callOptions = {}) => call(method, `${server.url}${path}`, { key: first.key, ...callOptions }),
    addAccount: (websiteLimit) => addAccount(storage, websiteLimit),
    addKey: async (choice = {}) => {
      const { key } = await issueApiKey(
        storage,
        { accountId: first.accountId, name: "another key", ...choice },
        testAuthor,
      );
      return key;
    },
    flush: () => apiKeys.close(),
    async [Symbol.asyncDispose]() {
      await server.close();
      await apiKeys.close();
      await storage.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function addAccount(storage: Storage, websiteLimit: number | null = null) {
  const settings = { name: "Test account", email: "test@example.com", websiteLimit };
  const account = await storage.accounts.create(settings, testAuthor);
  const { key } = await issueApiKey(storage, { accountId: account.id, name: "test key" }, testAuthor);
  return { accountId: account.id, key };
}

async function call(method: string, url: string, { key, form, json, body, headers }: CallOptions): Promise<Answer> {
  const sent = new Headers(headers);
  if (typeof key === "string") sent.set("Authorization", `Bearer ${key}`);
  if (form !== undefined) sent.set("Content-Type", "application/x-www-form-urlencoded");
  if (json !== undefined) sent.set("Content-Type", "application/json");
  const content = body ?? (form === undefined ? JSON.stringify(json) : writeForm(form));
  // A body that is a stream is sent in chunks, which fetch requires to be declared.
  return Answer.read(
    await fetch(url, {
      method,
      headers: sent,
      redirect: "manual",
      duplex: "half",
      ...(content === undefined ? {} : { body: content }),
    }),
  );
}

function writeForm(form: Exclude<CallOptions["form"], undefined>): string {
  if (typeof form === "string") return form;
  return new URLSearchParams(
    Object.entries(form).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}
