import { createReadStream } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { findPasswordLengthFault, type Parsed, passwordLength } from "@siteward/contract/plain";
import type { Io } from "../process/io.ts";
import { systemReason } from "../process/system-reason.ts";
import { decodeText } from "./decode-text.ts";
import type { PasswordSource } from "./entry.ts";
import { readBytes } from "./read-bytes.ts";

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

/** What a source of passwords refers to. */
interface PasswordContext {
  readonly env: Io["env"];
  /** The folder of the file that names the source. `password_file` is relative to it. */
  readonly folder: string;
}

/**
 * Reads a password from its source and checks its length. A file may end in one line break.
 *
 * @returns the password, or what is wrong, which never contains the password
 */
export async function readPassword(source: PasswordSource, { env, folder }: PasswordContext): Promise<Parsed<string>> {
  if ("value" in source) return checkLength("password", source.value);
  if ("env" in source) {
    const value = env[source.env] ?? "";
    if (value === "") return { ok: false, reason: `password_env: the environment variable ${source.env} is not set` };
    return checkLength(`password_env: the value of ${source.env}`, value);
  }
  const shown = JSON.stringify(source.file);
  try {
    // No more than a password can have: the path may name a large file or a device.
    const bytes = await readBytes(createReadStream(resolve(folder, source.file)), maxBytes);
    if (bytes === undefined) return { ok: false, reason: `password_file: ${shown} ${tooLong}` };
    // Another encoding would become another password, which nobody can type.
    const content = decodeText(bytes);
    if (!content.ok) return { ok: false, reason: `password_file: ${shown} ${content.reason}` };
    return checkLength(`password_file: the content of ${shown}`, content.value.replace(/\r?\n$/, ""));
  } catch (error) {
    return { ok: false, reason: cannotRead(shown, error) };
  }
}

/**
 * Returns what is wrong with a source, as far as it is known without opening a file: a pipe gives its content only
 * once, and a read of it waits for a writer.
 *
 * @returns undefined if nothing is known to be wrong
 */
export async function foreseePasswordFault(
  source: PasswordSource,
  context: PasswordContext,
): Promise<string | undefined> {
  if (!("file" in source)) {
    const read = await readPassword(source, context);
    return read.ok ? undefined : read.reason;
  }
  const shown = JSON.stringify(source.file);
  const path = resolve(context.folder, source.file);
  try {
    await access(path, constants.R_OK);
    const found = await stat(path);
    if (found.isDirectory()) return `password_file: ${shown} is a folder; name a file`;
    if (!found.isFile()) return undefined;
    if (found.size < passwordLength.min) return `password_file: ${shown} ${tooShort}`;
    return found.size > maxBytes ? `password_file: ${shown} ${tooLong}` : undefined;
  } catch (error) {
    return cannotRead(shown, error);
  }
}

function cannotRead(shown: string, error: unknown): string {
  return `password_file: cannot read ${shown}: ${systemReason(error)}`;
}

/** The longest valid password in bytes, with a line break. */
const maxBytes = 4 * passwordLength.max + 2;
const validLength = `send ${passwordLength.min} to ${passwordLength.max} characters`;
const tooLong = `has more than ${passwordLength.max} characters; ${validLength}`;
const tooShort = `has fewer than ${passwordLength.min} characters; ${validLength}`;

function checkLength(subject: string, value: string): Parsed<string> {
  if (/[\r\n]/.test(value)) return { ok: false, reason: `${subject} has more than one line` };
  const fault = findPasswordLengthFault(value);
  return fault === undefined ? { ok: true, value } : { ok: false, reason: `${subject} ${fault}` };
}
