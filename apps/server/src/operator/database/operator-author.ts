import type { ChangeAuthor } from "@siteward/service";
import type { CommandContext } from "../io/command-context.ts";

/** Returns who makes the changes of a command, for the audit trail. */
export function operatorAuthor(context: Pick<CommandContext, "operatorName">): ChangeAuthor {
  return { apiKey: null, operator: context.operatorName(), requestId: null };
}
