import { argon2, randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { AppError, type Call, type PasswordHasher } from "@siteward/service";

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

/**
 * Leaves a core to the event loop. With three or more, half of libuv's four threads stay free for files and host names.
 */
const maxRunning = availableParallelism() > 2 ? 2 : 1;

/**
 * Hashes few passwords at a time: a hash takes 7 MiB and 20 to 50 ms of a core. Without a limit, 1,500 requests kept
 * the thread pool and both cores busy for 38 s, and all other requests waited. How many wait has the bound of the writes
 * that run (`door/admission.ts`).
 */
export function queuePasswords(hash = hashPassword, running = maxRunning): PasswordHasher {
  const lines: Promise<unknown>[] = Array.from({ length: running }, () => Promise.resolve());
  let count = 0;
  return {
    async hash(password, client) {
      count += 1;
      const hashNext = () => {
        refuseIfDisconnected(client);
        return hash(password);
      };
      const turn = (lines[count % running] ?? Promise.resolve()).then(hashNext);
      lines[count % running] = turn.catch(() => undefined);
      const hashed = await turn;
      refuseIfDisconnected(client);
      return hashed;
    },
  };
}

/** A flood would otherwise create websites for clients that have left. */
function refuseIfDisconnected(client: Pick<Call, "isDisconnected">): void {
  if (client.isDisconnected()) throw clientDisconnected();
}

/** Nobody receives this refusal. */
export function clientDisconnected(): AppError {
  return new AppError("unavailable", "The client closed the connection. Nothing was changed.", {
    reason: "disconnected",
  });
}
