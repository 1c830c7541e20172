import { apiKeyPrefix } from "@siteward/contract/api-key";

/** The characters after `swk_` that are shown, so that people recognize a key. */
const visibleLength = 8;
const prefixLength = apiKeyPrefix.length + visibleLength;
const prefixShape = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${visibleLength}}$`);

/** Returns the part of a key that is no secret. */
export function toKeyPrefix(key: string): string {
  return key.slice(0, prefixLength);
}

/** Whether a string can be the prefix of a key. */
export function isKeyPrefix(text: string): boolean {
  return prefixShape.test(text);
}
