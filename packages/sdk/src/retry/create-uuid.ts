/**
 * Creates a random UUID (version 4). Browsers have `crypto.randomUUID` only on pages with HTTPS, and React Native does
 * not have it. Without it, `random` is good enough: the UUID must be unique, not secret.
 *
 * @param random returns a number from 0 up to, but not including, 1
 */
export function createUuid(crypto: UuidSource | undefined, random: () => number): string {
  if (crypto?.randomUUID !== undefined) return crypto.randomUUID();
  return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, () => Math.floor(random() * 16).toString(16));
}

/** The part of `globalThis.crypto` that creates UUIDs, if the runtime has it. */
interface UuidSource {
  readonly randomUUID?: () => string;
}
