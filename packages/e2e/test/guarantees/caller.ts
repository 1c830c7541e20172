import { type account, contract, type Problem, problem, type Website, type WebsitePage } from "@siteward/contract";
import type { Service, ServiceAccount } from "@siteward/torture/service";
import { expect } from "vitest";

export const websites = "/api/v1/websites";
export const accountPath = "/api/v1/account";

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
    return new Answer(response.status, response.headers, await response.text());
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
    expect((await this.get(accountPath)).accountData.websites.count).toBe(total);
    return total;
  }

  /** Creates a website for each domain, in order. */
  async createAll(domains: readonly string[]): Promise<void> {
    for (const domain of domains) expect((await this.create({ domain })).status).toBe(201);
  }
}

/** An answer, with what the contract requires of it. */
export class Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;

  constructor(status: number, headers: Headers, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  header(name: string): string | null {
    return this.headers.get(name);
  }

  /** The entity tag of a record, which must be a strong one. */
  get etag(): string {
    expect(this.header("ETag")).toMatch(/^"[\x21\x23-\x7e]+"$/);
    return this.header("ETag") ?? "";
  }

  get website(): Website {
    return contract.websites.get.responses[200].parse(this.#read("application/json")).data;
  }

  get page(): WebsitePage {
    return contract.websites.list.responses[200].parse(this.#read("application/json"));
  }

  get ids(): number[] {
    return this.page.data.map(({ id }) => id);
  }

  get accountData() {
    return contract.account.get.responses[200].parse(this.#read("application/json")).data satisfies ReturnType<
      typeof account.parse
    >;
  }

  get problem(): Problem {
    const read = problem.parse(this.#read("application/problem+json"));
    expect(read).toMatchObject({ status: this.status, request_id: this.header("X-Request-Id") });
    expect(read.request_id).not.toBe("");
    return read;
  }

  /** The status and code, which identify an error. */
  get refusal(): [status: number, code: string] {
    return [this.status, this.problem.code];
  }

  /** The fields of a refused request with their messages. */
  get fieldErrors(): Problem["errors"] {
    expect(this.refusal).toEqual([422, "validation_failed"]);
    return this.problem.errors;
  }

  /** The names of the fields that were refused. A record omits a member named __proto__, so they are read from the text. */
  get refusedNames(): string[] {
    expect(this.refusal).toEqual([422, "validation_failed"]);
    return Object.keys(JSON.parse(this.text).errors);
  }

  #read(type: string): unknown {
    expect(this.header("Content-Type"), this.text).toBe(`${type}; charset=utf-8`);
    return JSON.parse(this.text);
  }
}
