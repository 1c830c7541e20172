import { createReadStream } from "node:fs";
import { access, constants } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { findPasswordTextFault, type Parsed } from "@siteward/contract/plain";
import type { Io } from "../process/io.ts";
import { readSecret } from "../process/read-input.ts";
import { systemReason } from "../process/system-reason.ts";
import type { PasswordSource, WebsiteEntry } from "./entry.ts";

/**
 * Reads every password that is to be sent, before anything is sent.
 *
 * @param path that of the file of websites, whose `password_file` fields are relative to its folder; `-` for standard
 *   input
 * @returns the passwords, and what is wrong with those that are missing or not valid, without the password. Both by
 *   domain.
 */
export async function readPasswords(
  io: Io,
  path: string,
  websites: readonly Pick<WebsiteEntry, "domain" | "password">[],
) {
  const passwords = new Map<string, string>();
  const faults = new Map<string, string>();
  for (const { domain, password } of websites) {
    if (password === undefined) continue;
    const read = await readPassword(password, io, path);
    if (read.ok) passwords.set(domain, read.value);
    else faults.set(domain, read.reason);
  }
  return { passwords, faults };
}

/**
 * Reads a password from its source and checks its length. A file may end in one line break.
 *
 * @returns the password, or what is wrong, which never contains the password
 */
export async function readPassword(
  source: PasswordSource,
  { env }: Pick<Io, "env">,
  path: string,
): Promise<Parsed<string>> {
  if ("value" in source) return checkText("password", source.value);
  if ("env" in source) {
    const value = env[source.env] ?? "";
    if (value === "") return { ok: false, reason: `password_env: the environment variable ${source.env} is not set` };
    return checkText(`password_env: the value of ${source.env}`, value);
  }
  const subject = `password_file: ${JSON.stringify(source.file)}`;
  const secret = await readSecret(createReadStream(locate(source.file, path)));
  return secret.ok ? checkText(subject, secret.value) : { ok: false, reason: `${subject} ${secret.reason}` };
}

/**
 * Returns what is wrong with a source, as far as it is known without opening a file: a pipe gives its content only
 * once, and a read of it waits for a writer.
 *
 * @returns undefined if nothing is known to be wrong
 */
export async function foreseePasswordFault(
  source: PasswordSource,
  io: Pick<Io, "env">,
  path: string,
): Promise<string | undefined> {
  if (!("file" in source)) {
    const read = await readPassword(source, io, path);
    return read.ok ? undefined : read.reason;
  }
  return await access(locate(source.file, path), constants.R_OK).then(
    () => undefined,
    (error: unknown) => `password_file: ${JSON.stringify(source.file)} cannot be read: ${systemReason(error)}`,
  );
}

/** Returns the path of a file that the file of websites names. */
function locate(file: string, path: string): string {
  return resolve(path === "-" ? "." : dirname(path), file);
}

function checkText(subject: string, value: string): Parsed<string> {
  if (/[\r\n]/.test(value)) return { ok: false, reason: `${subject} has more than one line` };
  const fault = findPasswordTextFault(value);
  return fault === undefined ? { ok: true, value } : { ok: false, reason: `${subject} ${fault}` };
}
