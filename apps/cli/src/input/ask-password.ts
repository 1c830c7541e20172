import type { Io } from "../process/io.ts";
import { askSecret } from "./prompts.ts";

/** Asks for a website's password, twice, since what is typed cannot be seen. */
export async function askPassword(io: Io): Promise<string> {
  const password = await askSecret(io, "Password for visitors of the statistics", (text) =>
    text === "" ? "Type a password, or press Ctrl-C to give up." : undefined,
  );
  await askSecret(io, "The same password again", (text) => (text === password ? undefined : "That is not the same."));
  return password;
}
