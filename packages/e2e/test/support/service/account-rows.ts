import { hash, randomInt } from "node:crypto";
import { scopes } from "@siteward/contract";
import { apiKeySecretLength, formatApiKey } from "@siteward/contract/api-key";
import type { AccountOptions, ApiKeyOptions } from "./service.ts";
import type { Row, ServiceDatabase } from "./service-database.ts";

/**
 * Adds accounts and API keys to the database of a running server, as copies of the first account and its key. An operator's
 * command takes 0.2 s of a core for each, and thousands are needed.
 */
export class AccountRows {
  readonly #database: ServiceDatabase;
  readonly #nowMs: () => number;
  readonly #account: Row;
  readonly #apiKey: Row;
  #lastAccountId: number;
  #lastKeyId: number;

  static async open(database: ServiceDatabase, nowMs: () => number): Promise<AccountRows> {
    return new AccountRows(database, nowMs, await database.readFirst("accounts"), await database.readFirst("api_keys"));
  }

  private constructor(database: ServiceDatabase, nowMs: () => number, account: Row, apiKey: Row) {
    this.#database = database;
    this.#nowMs = nowMs;
    this.#account = account;
    this.#apiKey = apiKey;
    this.#lastAccountId = Number(account["id"]);
    this.#lastKeyId = Number(apiKey["id"]);
  }

  addAccount({ websiteLimit }: AccountOptions = {}): number {
    this.#lastAccountId += 1;
    const nowMs = this.#nowMs();
    this.#database.insert("accounts", {
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
    this.#database.insert("api_keys", {
      ...this.#apiKey,
      id: this.#lastKeyId,
      account_id: accountId,
      prefix: this.#prefixOf(text),
      hash: hash("sha256", text, "buffer"),
      scopes: JSON.stringify(chosen),
      created_at: nowMs,
      expires_at: expiresInMs === undefined ? null : nowMs + expiresInMs,
      rate_limit: rateLimit ?? null,
    });
    return text;
  }

  revokeApiKey(text: string): void {
    this.#database.execute(
      `update api_keys set revoked_at = ${this.#nowMs()} where prefix = '${this.#prefixOf(text)}'`,
    );
  }

  #prefixOf(text: string): string {
    return text.slice(0, String(this.#apiKey["prefix"]).length);
  }
}

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function generateApiKey(): string {
  return formatApiKey(Array.from({ length: apiKeySecretLength }, () => digits[randomInt(digits.length)]).join(""));
}
