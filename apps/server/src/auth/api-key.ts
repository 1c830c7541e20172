import { hash, randomInt } from "node:crypto";
import { apiKeySecretLength, formatApiKey, toKeyPrefix } from "@siteward/contract/api-key";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A new API key. Its text is shown once and never stored. */
interface FreshApiKey {
  readonly key: string;
  readonly prefix: string;
  readonly hash: Uint8Array;
}

/**
 * Generates a key from the system's secure random source. 256 is not a multiple of 62, so the digits are drawn without
 * bias.
 */
export function generateApiKey(): FreshApiKey {
  const key = formatApiKey(Array.from({ length: apiKeySecretLength }, () => base62[randomInt(62)]).join(""));
  return { key, prefix: toKeyPrefix(key), hash: Buffer.from(hashApiKey(key), "hex") };
}

/** Returns the SHA-256 in hexadecimal, which is enough for a secret of 190 bits (OWASP ASVS 5.0, 6.5.2). */
export function hashApiKey(key: string): string {
  return hash("sha256", key, "hex");
}
