/** Returns a random idempotency key. Browsers have `crypto.randomUUID` only on pages with HTTPS. */
export function createKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
