import { hash, randomInt } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { scopes } from "@siteward/contract";
import { apiKeySecretLength, formatApiKey } from "@siteward/contract/api-key";
import type { AccountOptions, ApiKeyOptions } from "./service.ts";

type Row = Record<string, null | number | bigint | string | Uint8Array>;

/**
 * Adds accounts and API keys to the database of a running server, as copies of the first account and its key. An operator's
 * command takes 0.2 s of a core for each, and thousands are needed.
 */
export class AccountRows {
  readonly #database: DatabaseSync;
  readonly #nowMs: () => number;
  readonly #account: Row;
  readonly #apiKey: Row;
  #lastAccountId: number;
  #lastKeyId: number;

  constructor(database: DatabaseSync, nowMs: () => number) {
    // What the server has acknowledged stays durable: this is only about the rows that are written here.
    database.exec("pragma synchronous = off");
    this.#database = database;
    this.#nowMs = nowMs;
    this.#account = this.#readFirst("accounts");
    this.#apiKey = this.#readFirst("api_keys");
    this.#lastAccountId = Number(this.#account["id"]);
    this.#lastKeyId = Number(this.#apiKey["id"]);
  }

  addAccount({ websiteLimit }: AccountOptions = {}): number {
    this.#lastAccountId += 1;
    const nowMs = this.#nowMs();
    this.#insert("accounts", {
      ...this.#account,
      id: this.#lastAccountId,
      website_limit: websiteLimit ?? null,
      created_at: nowMs,
      updated_at: nowMs,
    });
    return this.#lastAccountId;
  }

  addApiKey(accountId: number, { scopes: chosen = scopes, rateLimit, expiresInMs }: ApiKeyOptions = {}): string {
    this.#lastKeyId += 1;
    const nowMs = this.#nowMs();
    const text = generateApiKey();
    this.#insert("api_keys", {
      ...this.#apiKey,
      id: this.#lastKeyId,
      account_id: accountId,
      prefix: text.slice(0, String(this.#apiKey["prefix"]).length),
      hash: hash("sha256", text, "buffer"),
      scopes: JSON.stringify(chosen),
      created_at: nowMs,
      expires_at: expiresInMs === undefined ? null : nowMs + expiresInMs,
      rate_limit: rateLimit ?? null,
    });
    return text;
  }

  #readFirst(table: string): Row {
    const row = this.#database.prepare(`select * from ${table} order by id limit 1`).get();
    if (row === undefined) throw new Error(`The table ${table} is empty.`);
    return row;
  }

  #insert(table: string, row: Row): void {
    const columns = Object.keys(row);
    const values = columns.map((name) => `:${name}`).join();
    this.#database.prepare(`insert into ${table} (${columns.join()}) values (${values})`).run(row);
  }
}

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function generateApiKey(): string {
  return formatApiKey(Array.from({ length: apiKeySecretLength }, () => digits[randomInt(digits.length)]).join(""));
}
