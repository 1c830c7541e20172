import type { Exposure } from "@siteward/sdk/bulk";
import { mayPrompt, promptForConfirmation } from "../client/prompts.ts";
import { warn } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import { StoppedError } from "../process/stopped-error.ts";
import { describeExposure } from "../sync/exposure.ts";
import type { Call } from "./command.ts";

/** The flag by which somebody has agreed to what becomes public. */
export interface ConsentFlags {
  readonly allowPublic?: true;
}

export const allowPublicFlag = [
  "--allow-public",
  "make websites public and delete passwords without a prompt; required in scripts that do",
] as const;

/**
 * Asks before websites become public or passwords are deleted, whoever states it.
 *
 * @param question such as "Import?"
 * @param before what else the person should know
 * @throws CliError `confirmation_required` if nobody can answer
 */
export async function mayExpose(
  { io, flags }: Pick<Call<ConsentFlags>, "io" | "flags">,
  exposure: Exposure,
  question: string,
  before = "",
): Promise<boolean> {
  const said = describeExposure(exposure);
  if (flags.allowPublic === true || said === "") return true;
  if (mayPrompt(io, flags)) return await promptForConfirmation(io, `${before}${said} ${question}`);
  const { opened, passwords } = exposure;
  if (opened.length + passwords.length > 0) {
    const next = "To allow it, add --allow-public.";
    const error = new CliError("confirmation_required", `${said} Nothing was changed.`, next);
    throw new StoppedError(error, { opened, passwordsDeleted: passwords });
  }
  // Nobody could see anything of a new website before.
  await warn(io, said);
  return true;
}
