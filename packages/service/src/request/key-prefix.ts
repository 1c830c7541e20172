import { apiKeyPrefix, apiKeyShownLength } from "@siteward/contract/api-key";

const prefixShape = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${apiKeyShownLength}}$`);

/** Whether a string can be the prefix of a key. */
export function isKeyPrefix(text: string): boolean {
  return prefixShape.test(text);
}
