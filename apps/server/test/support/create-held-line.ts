import { hashPassword } from "../../src/auth/hash-password.ts";
import { PasswordQueue } from "../../src/auth/password-queue.ts";

/** Creates a queue that runs one hash at a time. The hashes are real, but none ends before `open` is called. */
export function createHeldLine(maxWaiting: number) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const hashed: string[] = [];
  const passwords = new PasswordQueue(
    async (text) => {
      hashed.push(text);
      await opened;
      return hashPassword(text);
    },
    { maxRunning: 1, maxWaiting, maxWaitingPerKey: maxWaiting, maxWaitMs: 60_000 },
  );
  return { passwords, open, hashed };
}
