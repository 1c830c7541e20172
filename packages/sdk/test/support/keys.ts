import { apiKeySecretLength, formatApiKey } from "@siteward/contract/plain";

/** Returns a key that no service has, with the right checksum. */
export function keyOf(name: string): string {
  return formatApiKey(name.padEnd(apiKeySecretLength, "0"));
}

/** The key of most clients. */
export const apiKey: string = keyOf("secret");
