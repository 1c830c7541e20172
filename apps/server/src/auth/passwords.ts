import { argon2, randomBytes } from "node:crypto";
import { promisify } from "node:util";

const argon2Async = promisify(argon2);

/**
 * The settings with the least memory of those that OWASP's Password Storage Cheat Sheet says defend equally. The C
 * library keeps the memory of each thread that has hashed, and with more memory, a hash takes longer
 * (docs/decisions.md).
 */
const memoryKib = 7_168;
const passes = 5;
const parallelism = 1;
const saltBytes = 16;
const tagBytes = 32;

/**
 * Hashes a password with Argon2id (RFC 9106) on libuv's thread pool, off the main thread.
 *
 * @returns a PHC string: `$argon2id$v=19$m=7168,t=5,p=1$<salt>$<hash>`
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(saltBytes);
  const message = Buffer.from(password.normalize("NFC"), "utf8");
  const cost = { memory: memoryKib, passes, parallelism, tagLength: tagBytes };
  const tag = await argon2Async("argon2id", { message, nonce, ...cost });
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${toPhcBase64(nonce)}$${toPhcBase64(tag)}`;
}

/** The PHC string format uses base64 without padding. */
function toPhcBase64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
