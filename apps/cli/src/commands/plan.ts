import type { Command } from "commander";
import { retriesOfMany } from "../client/connect.ts";
import { refuseSharedStdin } from "../flags/parse.ts";
import { exitCodes } from "../process/exit-code.ts";
import { type TextSink, takesColor, writeText, writeTexts } from "../process/io.ts";
import { evenIfUnread } from "../process/write-error.ts";
import { makePlan, type Plan, readEntries } from "../sync/plan.ts";
import { planJson, planView, toPlanRecord } from "../sync/plan-record.ts";
import { renderPlan } from "../sync/plan-text.ts";
import { applyPolicy } from "../sync/policy.ts";
import type { Call, CommandDefinition } from "./command.ts";

/** The argument of the commands that read a site file. */
export const siteFileArgument = ["[file]", "site file; - reads standard input", "siteward.yaml"] as const;

/** The flags that a plan and its apply share. */
export interface PlanFlags {
  readonly prune?: true;
  readonly setPasswords?: true;
}

/** Declares the argument and the flags that a plan and its apply share. */
export function declarePlan(command: Command): Command {
  return command
    .argument(...siteFileArgument)
    .option("--prune", "delete the websites that are not in the file")
    .option(
      "--set-passwords",
      "send every password again; without this flag, a password that is stored counts as unchanged",
    );
}

/** Reads the file and the account, and computes what to change. */
export async function planFile({ io, flags, connect }: Call<PlanFlags>, path: string) {
  if (path === "-") refuseSharedStdin("The file -", flags);
  const policy = applyPolicy(flags.setPasswords === true);
  const entries = await readEntries(io, path);
  const siteward = await connect(retriesOfMany);
  const request = { path, entries, policy, isPruned: flags.prune === true };
  return { siteward, policy, plan: await makePlan(io, siteward, request) };
}

/** Prints a plan for people. */
export async function printPlan({ io, flags }: Call, plan: Plan, sink: TextSink): Promise<void> {
  const text = renderPlan(plan, { color: takesColor(sink, io.env), ascii: flags.ascii === true });
  await evenIfUnread(writeText(sink, text));
}

/** `siteward plan`. */
export const command: CommandDefinition<PlanFlags & { readonly detailedExitcode?: true }> = {
  declare: (command) =>
    declarePlan(command).option(
      "--detailed-exitcode",
      "exit with 0 if nothing is to be changed, 2 if something is, and 1 on every error",
    ),
  help: `\
Compares the websites of the account with the file, and shows what \`siteward
apply\` would do. Changes nothing. A setting that is not in the file gets its
default. On a terminal, the plan is text. Otherwise it is JSON:
the counts create, update, delete, unchanged, not_in_file, opened (becomes
public) and passwords_deleted, and the list changes. For text in a pipe, use
--output table.`,
  examples: [
    "siteward plan",
    "siteward plan clients.yaml --prune",
    "siteward plan --detailed-exitcode --output json > plan.json",
  ],
  view: planView,
  run: async (call, path: string) => {
    const { io, flags } = call;
    const output = call.openOutput();
    const { plan } = await planFile(call, path);
    if (output.isText) await printPlan(call, plan, io.stdout);
    else if (output.format === "json" && flags.fields === undefined)
      await evenIfUnread(writeTexts(io.stdout, planJson(plan)));
    else await evenIfUnread(output.one(toPlanRecord(plan)));
    if (flags.detailedExitcode === true && plan.changes.length > 0) io.facts.exitCode = exitCodes.changesPlanned;
  },
};
