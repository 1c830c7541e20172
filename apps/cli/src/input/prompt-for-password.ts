import type { Io } from "../process/io.ts";
import { promptForSecret } from "./prompts.ts";

/** Prompts twice for a website's password, since it is hidden while it is typed. */
export async function promptForPassword(io: Io): Promise<string> {
  const { findPasswordLengthFault, passwordLength } = await import("@siteward/contract/website-settings");
  const length = `${passwordLength.min} to ${passwordLength.max} characters`;
  const password = await promptForSecret(io, `Password for visitors (${length})`, (text) =>
    findPasswordLengthFault(text) === undefined ? undefined : `Enter ${length}.`,
  );
  await promptForSecret(io, "Repeat the password", (text) =>
    text === password ? undefined : "The passwords do not match.",
  );
  return password;
}
