import { hash, randomInt } from "node:crypto";
import { scopes as allScopes, type Scope } from "@siteward/contract";
import { apiKeySecretLength, formatApiKey, toKeyPrefix } from "@siteward/contract/plain";
import type { Database, EngineName } from "./database.ts";

export interface NewAccount {
  /** The largest number of websites. The default is no limit. */
  readonly websiteLimit?: number | undefined;
}

export interface NewApiKey {
  /** The default is all scopes. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Requests per minute. The default is no limit. */
  readonly rateLimit?: number | undefined;
  /** The default is never. It can be negative. */
  readonly expiresInMs?: number | undefined;
}

/** What the rows say besides what the caller chooses. */
export const writtenNames = { account: { name: "Test", email: "test@example.com" }, key: "test" } as const;

/**
 * Writes accounts and API keys into a migrated database without accounts, also while a server runs on it. The operator's command
 * would use half a second of processor time for each. What is added is in the database once {@link written} settles.
 */
export class AccountRows {
  readonly #database: Pick<Database, "engine" | "query">;
  readonly #nowMs: () => number;
  readonly #accounts: string[] = [];
  readonly #apiKeys: string[] = [];
  readonly #revocations: string[] = [];
  #lastAccountId = 0;
  #lastKeyId = 0;
  #written: Promise<unknown> = Promise.resolve();

  constructor(database: Pick<Database, "engine" | "query">, nowMs: () => number = Date.now) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /** Returns the ID of the account. */
  addAccount({ websiteLimit }: NewAccount = {}): number {
    this.#lastAccountId += 1;
    const { name, email } = writtenNames.account;
    const [id, nowMs] = [this.#lastAccountId, this.#nowMs()];
    this.#accounts.push(`(${id}, '${name}', '${email}', 0, ${websiteLimit ?? null}, 0, 0, ${nowMs}, ${nowMs})`);
    return id;
  }

  /** Returns the text of the key. */
  addApiKey(accountId: number, { scopes = allScopes, rateLimit, expiresInMs }: NewApiKey = {}): string {
    this.#lastKeyId += 1;
    const nowMs = this.#nowMs();
    const text = generateApiKey();
    const bytes = writeBytes[this.#database.engine](hash("sha256", text, "hex"));
    const who = `${this.#lastKeyId}, ${accountId}, '${writtenNames.key}', '${toKeyPrefix(text)}', ${bytes}`;
    const expiresAt = expiresInMs === undefined ? null : nowMs + expiresInMs;
    const times = `${nowMs}, ${expiresAt}, null, null`;
    this.#apiKeys.push(`(${who}, '${JSON.stringify(scopes)}', ${times}, ${rateLimit ?? null})`);
    return text;
  }

  revokeApiKey(text: string): void {
    const revokedAt = `revoked_at = ${this.#nowMs()}`;
    this.#revocations.push(`update api_keys set ${revokedAt} where prefix = '${toKeyPrefix(text)}'`);
  }

  /** Writes all that was added and revoked before, in one statement for each table. */
  async written(): Promise<void> {
    const statements = this.#takeStatements();
    if (statements.length > 0) this.#written = this.#written.then(() => this.#run(statements));
    await this.#written;
  }

  #takeStatements(): string[] {
    const accounts = this.#accounts.splice(0).join(", ");
    const apiKeys = this.#apiKeys.splice(0).join(", ");
    return [
      ...(accounts === "" ? [] : [`insert into accounts (${accountColumns}) values ${accounts}`]),
      ...(apiKeys === "" ? [] : [`insert into api_keys (${apiKeyColumns}) values ${apiKeys}`]),
      ...this.#revocations.splice(0),
    ];
  }

  async #run(statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.#database.query(statement);
  }
}

const accountColumns =
  "id, name, email, website_count, website_limit, last_website_id, last_website_created_at, created_at, updated_at";
const apiKeyColumns =
  "id, account_id, name, prefix, hash, scopes, created_at, expires_at, revoked_at, last_used_at, rate_limit";

const writeBytes = {
  sqlite: (hex) => `x'${hex}'`,
  postgres: (hex) => `'\\x${hex}'::bytea`,
} as const satisfies Record<EngineName, (hex: string) => string>;

/** Generates a key with the right format and checksum. */
export function generateApiKey(): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return formatApiKey(Array.from({ length: apiKeySecretLength }, () => digits[randomInt(62)]).join(""));
}
