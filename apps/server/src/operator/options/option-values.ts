import { type Scope, scopes } from "@siteward/contract";
import { toKeyPrefix } from "@siteward/contract/api-key";
import { isKeyPrefix } from "@siteward/service";
import { UsageError } from "../io/command-error.ts";

/** Reads the ID of an account from an option or argument. */
export function readAccountId(option: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(
    `${option} is ${JSON.stringify(text)}. Use the ID of an account, which is a whole number of at least 1.`,
  );
}

/**
 * Reads the name of an account or key from an option. It has no line breaks, so it stays on one line wherever it is
 * printed.
 */
export function readName(option: string, text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= 200 && !/\p{Cc}/u.test(name)) return name;
  throw new UsageError(`${option} is ${JSON.stringify(text)}. Use 1 to 200 characters on one line.`);
}

/** Refuses what cannot be an address. Only a message to it can show whether it is one. */
export function readEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254) return text;
  throw new UsageError(`--email is ${JSON.stringify(text)}. Use an address such as ops@example.com.`);
}

/** Reads how many websites an account may have. */
export function readWebsiteLimit(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--website-limit is ${JSON.stringify(text)}. Use a whole number of at least 0.`);
}

/** Reads the scopes of an API key. */
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
  throw new UsageError(
    `--rate-limit is ${JSON.stringify(text)}. ` +
      'Use the number of requests a minute, "none" for no limit, or "default" for the limit of the server.',
  );
}

/** Reads the prefix of an API key from an argument. The argument may be a whole key, which no message repeats. */
export function readKeyPrefix(text: string): string {
  const prefix = toKeyPrefix(text);
  if (text === prefix || !isKeyPrefix(prefix)) return text;
  throw new UsageError(`<prefix> is longer than the prefix of an API key. Use ${prefix}.`);
}
