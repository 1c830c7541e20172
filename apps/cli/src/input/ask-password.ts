import type { Io } from "../process/io.ts";
import { askSecret } from "./prompts.ts";

/** Prompts twice for a website's password, since it is hidden while it is typed. */
export async function askPassword(io: Io): Promise<string> {
  const password = await askSecret(io, "Password for visitors", (text) =>
    text === "" ? "Enter a password, or press Ctrl-C to cancel." : undefined,
  );
  await askSecret(io, "Repeat the password", (text) => (text === password ? undefined : "The passwords do not match."));
  return password;
}
