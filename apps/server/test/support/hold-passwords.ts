import { hashInTurn } from "../../src/door/admission.ts";

/** Hashes some passwords at a time. Each call of `end` ends the hash that began first, and `open` all from then on. */
export function holdPasswords(size: number) {
  const asked: string[] = [];
  const hashed: string[] = [];
  const ends: (() => void)[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const hash = async (password: string) => {
    hashed.push(password);
    await Promise.race([opened, new Promise<void>((resolve) => ends.push(resolve))]);
    return "a hash";
  };
  const inTurn = hashInTurn(hash, size);
  const passwords: typeof inTurn = {
    hash: (password, call) => {
      asked.push(password);
      return inTurn.hash(password, call);
    },
  };
  return { passwords, asked, hashed, open, end: () => ends.shift()?.() };
}
