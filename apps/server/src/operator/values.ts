import { type Scope, scopes } from "@siteward/contract";
import { toKeyPrefix } from "@siteward/contract/plain";
import { isKeyPrefix } from "@siteward/service";
import type { Command } from "commander";
import { type Config, type Environment, examineConfig, type Flags, flagOf, settings } from "../config.ts";
import { readDurationMs } from "../settings.ts";
import type { Storage } from "../storage/interface/storage.ts";
import { UsageError } from "./command.ts";

export function addSettingFlags(command: Command): Command {
  for (const [name, [unset, , meaning]] of Object.entries(settings)) {
    command.option(`--${flagOf(name)} <value>`, `${meaning} (${name}${unset === "" ? "" : `; ${unset}`})`);
  }
  return command;
}

/** Reads the settings, of which each must be valid. */
export function readConfig(environment: Environment, flags: Flags = {}): Config {
  const { config, faults } = examineConfig(environment, flags);
  if (faults[0] !== undefined) throw new UsageError(faults[0]);
  return config;
}

export function readAccountId(option: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw refused(option, text, "the ID of an account, which is a whole number of at least 1");
}

/** Finds the account that an option names. */
export async function findAccount({ accounts }: Pick<Storage, "accounts">, text: string, option = "--account") {
  const id = readAccountId(option, text);
  const account = await accounts.get(id);
  if (account === undefined) throw unknownAccount(id);
  return account;
}

export function unknownAccount(id: number): UsageError {
  return new UsageError(`Account ${id} does not exist or is being deleted. Use \`accounts list\` to see all accounts.`);
}

/** Reads a whole number of at least 1 from an option. */
export function readCount(option: string, text: string, max: number): number {
  if (/^[1-9]\d{0,15}$/.test(text) && Number(text) <= max) return Number(text);
  throw refused(option, text, `a whole number from 1 to ${max}`);
}

/** Reads the name of an account or key. It has no line breaks, so it stays on one line wherever it is printed. */
export function readName(text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= 200 && !/\p{Cc}/u.test(name)) return name;
  throw refused("--name", text, "1 to 200 characters on one line");
}

/** Refuses what cannot be an address. Only a message to it can show whether it is one. */
export function readEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254) return text;
  throw refused("--email", text, "an address such as ops@example.com");
}

export function readWebsiteLimit(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw refused("--website-limit", text, "a whole number of at least 0");
}

export function readScopes(text: string): Scope[] {
  return text.split(",").map((name) => {
    const scope = scopes.find((known) => known === name.trim());
    if (scope !== undefined) return scope;
    throw new UsageError(`--scopes has the unknown scope ${JSON.stringify(name)}. Use ${scopes.join(", ")}.`);
  });
}

/** Reads how many requests a minute an API key may make. Null means the setting of the server, and 0 means no limit. */
export function readRateLimit(text: string): number | null {
  if (text === "default") return null;
  if (text === "none") return 0;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  const use = 'the number of requests a minute, "none" for no limit, or "default" for the limit of the server';
  throw refused("--rate-limit", text, use);
}

/** Reads the prefix of an API key from an argument. The argument may be a whole key, which no message repeats. */
export function readKeyPrefix(text: string): string {
  const prefix = toKeyPrefix(text);
  if (text === prefix || !isKeyPrefix(prefix)) return text;
  throw new UsageError(`<prefix> is longer than the prefix of an API key. Use ${prefix}.`);
}

/** Reads when a key expires: a duration from now, a time, or null for `never`. It cannot be in the past. */
export function readExpiry(text: string, nowMs: number): Date | null {
  if (text === "never") return null;
  const expiresMs = readTimeMs(text, nowMs, "after");
  if (expiresMs === undefined)
    throw refused("--expires", text, "a duration such as 90d or 12h, or a date such as 2027-01-31");
  if (expiresMs > nowMs) return new Date(expiresMs);
  throw new UsageError(`--expires is ${JSON.stringify(text)}, which is in the past. Use a later time.`);
}

/** Reads for how many milliseconds an old key still works after its rotation: a duration such as `24h`, or `0`. */
export function readOverlap(text: string): number {
  const overlapMs = text === "0" ? 0 : readDurationMs(text);
  if (overlapMs !== undefined) return overlapMs;
  throw refused("--overlap", text, "a duration such as 24h or 7d, or 0");
}

/** Reads where a trail begins: a duration before now, or a time. Returns milliseconds since 1970. */
export function readSince(text: string, nowMs: number): number {
  const since = readTimeMs(text, nowMs, "before");
  if (since !== undefined) return Math.max(0, since);
  throw refused("--since", text, "a duration such as 7d or 12h, or a time such as 2027-01-31T09:00:00Z");
}

/**
 * Reads a duration from now (`90d`; m, h, d or w) or a date (`2027-01-31`, or with a time, RFC 3339).
 *
 * @returns milliseconds since 1970, or undefined for any other text
 */
function readTimeMs(text: string, nowMs: number, direction: "before" | "after"): number | undefined {
  const durationMs = readDurationMs(text);
  if (durationMs !== undefined) return direction === "after" ? nowMs + durationMs : nowMs - durationMs;
  const day = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.exec(text)?.[1];
  const [dayMs, timeMs] = [Date.parse(day ?? ""), Date.parse(text)];
  // Date reads February 30 as March 2.
  const isDay = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().slice(0, 10) === day;
  return isDay && !Number.isNaN(timeMs) ? timeMs : undefined;
}

function refused(option: string, text: string, use: string): UsageError {
  return new UsageError(`${option} is ${text === "" ? "missing" : JSON.stringify(text)}. Use ${use}.`);
}
