import { Answer } from "@siteward/testing/answer";
import type { Service, ServiceAccount } from "@siteward/testing/services/service";
import { expect } from "vitest";

export const websites = "/api/v1/websites";
export const accountPath = "/api/v1/account";
/** The website that an account creates first. */
export const one: string = `${websites}/1`;

/** The headers of bodies. */
export const json = { "Content-Type": "application/json" } as const;
export const form = { "Content-Type": "application/x-www-form-urlencoded" } as const;

/** Every operation of the API, with the scope that it requires. */
export const operations = [
  ["GET", websites, "websites:read"],
  ["GET", `${websites}/1`, "websites:read"],
  ["POST", websites, "websites:write"],
  ["PUT", `${websites}/1`, "websites:write"],
  ["DELETE", `${websites}/1`, "websites:write"],
  ["GET", accountPath, "account:read"],
] as const;

export interface CallOptions {
  /** The default is a key with all scopes. Null sends none. */
  readonly key?: string | null;
  readonly json?: unknown;
  /** The text of a form. */
  readonly form?: string;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A caller with a new account of a service and a key with all scopes. */
export class Caller {
  readonly account: ServiceAccount;
  readonly key: string;

  constructor(service: Service, options?: Parameters<Service["createAccount"]>[0]) {
    this.account = service.createAccount(options);
    this.key = this.account.createApiKey();
  }

  async call(method: string, path: string, { key = this.key, json, form, body, headers }: CallOptions = {}) {
    const sent = new Headers(headers);
    if (key !== null && !sent.has("Authorization")) sent.set("Authorization", `Bearer ${key}`);
    if (json !== undefined) sent.set("Content-Type", "application/json");
    if (form !== undefined) sent.set("Content-Type", "application/x-www-form-urlencoded");
    const content = body ?? form ?? (json === undefined ? undefined : JSON.stringify(json));
    const response = await this.account.fetch(`${this.account.baseUrl}${path}`, {
      method,
      headers: sent,
      redirect: "manual",
      // A body that is a stream requires it.
      duplex: "half",
      ...(content === undefined ? {} : { body: content }),
    });
    return await Answer.read(response);
  }

  create(json: unknown, headers: CallOptions["headers"] = {}): Promise<Answer> {
    return this.call("POST", websites, { json, headers });
  }

  get(path: string, headers: CallOptions["headers"] = {}): Promise<Answer> {
    return this.call("GET", path, { headers });
  }

  put(path: string, json: unknown, headers: CallOptions["headers"] = {}): Promise<Answer> {
    return this.call("PUT", path, { json, headers });
  }

  /** How many websites the account has, by its list and by its counter. */
  async count(): Promise<number> {
    const { total } = (await this.get(websites)).page.meta;
    expect((await this.get(accountPath)).account.websites.count).toBe(total);
    return total;
  }

  /** Creates a website for each domain, in order. */
  async createAll(domains: readonly string[]): Promise<void> {
    for (const domain of domains) expect((await this.create({ domain })).status).toBe(201);
  }
}
