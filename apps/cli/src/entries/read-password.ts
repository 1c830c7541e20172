import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { findPasswordLengthFault, type Parsed, passwordLength } from "@siteward/contract/website-settings";
import { decodeText } from "../files/decode-text.ts";
import type { Io } from "../process/io.ts";
import { systemReason } from "../process/system-reason.ts";
import type { PasswordSource } from "./website-entry.ts";

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
    // Reads no more than a password can have: the path may name a large file or a device.
    const bytes = await buffer(createReadStream(resolve(folder, source.file), { end: maxBytes }));
    if (bytes.length > maxBytes) return { ok: false, reason: `password_file: ${shown} ${tooLong}` };
    // Another encoding would become another password, which nobody can type.
    const content = decodeText(bytes);
    if (!content.ok) return { ok: false, reason: `password_file: ${shown} ${content.reason}` };
    return checkLength(`password_file: the content of ${shown}`, content.value.replace(/\r?\n$/, ""));
  } catch (error) {
    return { ok: false, reason: `password_file: cannot read ${shown}: ${systemReason(error)}` };
  }
}

/** The longest valid password in bytes, with a line break. */
const maxBytes = 4 * passwordLength.max + 2;
const tooLong =
  `has more than ${passwordLength.max} characters; ` + `send ${passwordLength.min} to ${passwordLength.max} characters`;

function checkLength(subject: string, value: string): Parsed<string> {
  if (/[\r\n]/.test(value)) return { ok: false, reason: `${subject} has more than one line` };
  const fault = findPasswordLengthFault(value);
  return fault === undefined ? { ok: true, value } : { ok: false, reason: `${subject} ${fault}` };
}
