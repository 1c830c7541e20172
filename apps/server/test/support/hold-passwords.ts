import { hashPassword, queuePasswords } from "../../src/auth/passwords.ts";

/** Hashes one password at a time. The hashes are real, but none ends before `open` is called. */
export function holdPasswords() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const hashed: string[] = [];
  const hash = async (text: string) => {
    hashed.push(text);
    await opened;
    return hashPassword(text);
  };
  return { passwords: queuePasswords(hash, 1), open, hashed };
}
