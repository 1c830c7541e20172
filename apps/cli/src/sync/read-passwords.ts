import { dirname } from "node:path";
import { readPassword } from "../entries/read-password.ts";
import type { PasswordSource } from "../entries/website-entry.ts";
import type { Io } from "../process/io.ts";

/** The passwords of websites, each by the domain of its website. */
interface Passwords {
  readonly passwords: ReadonlyMap<string, string>;
  /** What is wrong with those that are missing or not valid. It contains no password. */
  readonly faults: ReadonlyMap<string, string>;
}

/** A website whose password is to be read, if it has one. */
interface Protected {
  readonly domain: string;
  readonly password?: PasswordSource;
}

/**
 * Reads every password that is to be sent, before anything is sent.
 *
 * @param path that of the file of websites, whose `password_file` fields are relative to its folder; `-` for standard
 *   input
 */
export async function readPasswords({ env }: Io, path: string, websites: readonly Protected[]): Promise<Passwords> {
  const passwords = new Map<string, string>();
  const faults = new Map<string, string>();
  const folder = folderOf(path);
  for (const { domain, password } of websites) {
    if (password === undefined) continue;
    const read = await readPassword(password, { env, folder });
    if (read.ok) passwords.set(domain, read.value);
    else faults.set(domain, read.reason);
  }
  return { passwords, faults };
}

/** Returns the folder to which the `password_file` fields of a file of websites are relative. */
export function folderOf(path: string): string {
  return path === "-" ? "." : dirname(path);
}
