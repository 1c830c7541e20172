import { type ChangeOptions, isApiError, type Siteward, type UpdateWebsite, type Website } from "@siteward/sdk";
import { lacksPassword } from "../flags/website-flags.ts";

/** A change of one website. */
export interface Change {
  readonly id: number;
  readonly fields: UpdateWebsite;
  readonly condition: ChangeOptions;
  /** Prompts for a password; undefined if the command must not prompt. */
  readonly prompt: (() => Promise<string>) | undefined;
}

/** Updates the website. Only the service knows if a password is stored, so it prompts once the service requires one. */
export async function updateWebsite(siteward: Siteward, { id, fields, condition, prompt }: Change): Promise<Website> {
  try {
    return await siteward.websites.update(id, fields, condition);
  } catch (error) {
    if (prompt === undefined || !isPasswordMissing(error, fields)) throw error;
    return await siteward.websites.update(id, { ...fields, password: await prompt() }, condition);
  }
}

function isPasswordMissing(error: unknown, fields: UpdateWebsite): boolean {
  if (!lacksPassword(fields)) return false;
  return isApiError(error, "validation_failed") && Object.keys(error.errors).join() === "password";
}
