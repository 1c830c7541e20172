import type { Io } from "../process/io.ts";
import { promptForSecret } from "./prompts.ts";

/** Prompts twice for a website's password, since it is hidden while it is typed. */
export async function promptForPassword(io: Io): Promise<string> {
  const password = await promptForSecret(io, "Password for visitors", (text) =>
    text === "" ? "Enter a password, or press Ctrl-C to cancel." : undefined,
  );
  await promptForSecret(io, "Repeat the password", (text) =>
    text === password ? undefined : "The passwords do not match.",
  );
  return password;
}
