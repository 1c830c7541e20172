import { connect, retriesOfMany } from "../client/connect.ts";
import { presenceFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { defaultSiteFile, pruneFlag, setPasswordsFlag } from "../flags/plan-flags.ts";
import { refuseSharedStdin } from "../flags/request-flags.ts";
import { openOutput } from "../output/output.ts";
import { ExitWith, exitCodes } from "../process/exit-code.ts";
import { takesColor, writeText } from "../process/io.ts";
import { makePlan, readEntries } from "../sync/plan.ts";
import { planJson, planView, toPlanRecord } from "../sync/plan-record.ts";
import { renderPlan } from "../sync/plan-text.ts";
import { applyPolicy } from "../sync/policy.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const detailedFlag = presenceFlag(
  "--detailed-exitcode",
  "exit with 0 if nothing is to be changed, 2 if something is, and 1 on every error",
);

/** Sets up `siteward plan`. */
export const plan: CommandSetup = (command, io) => {
  command
    .argument("[file]", "site file; - reads standard input", defaultSiteFile)
    .addOption(pruneFlag.options[0])
    .addOption(setPasswordsFlag.options[0])
    .addOption(detailedFlag.options[0])
    .addHelpText("after", `\n${meaningHelp}\n${examples(exampleLines)}`)
    .action(async (path: string) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      if (path === "-") refuseSharedStdin("The file -", flags);
      const output = openOutput(io, flags, planView);
      const isPruned = pruneFlag.read(command.opts()) === true;
      const setsPasswords = setPasswordsFlag.read(command.opts()) === true;
      const policy = applyPolicy({ isPruned, setsPasswords });
      const entries = await readEntries(io, path);
      const siteward = await connect(io, flags, retriesOfMany);
      const { plan: computed } = await makePlan(io, siteward, { path, entries, policy });
      if (flags.fields !== undefined || !["table", "json"].includes(output.format)) {
        await output.one(toPlanRecord(computed));
      } else if (output.format === "json") {
        for (const text of planJson(computed)) await writeText(io.stdout, text);
      } else {
        const text = renderPlan(computed, { color: takesColor(io.stdout, io.env), ascii: flags.ascii === true });
        await writeText(io.stdout, text);
      }
      if (detailedFlag.read(command.opts()) === true && computed.changes.length > 0) {
        throw new ExitWith(exitCodes.changesPlanned);
      }
    });
  return planView;
};

const meaningHelp = `\
Compares the websites of the account with the file, and shows what \`siteward
apply\` would do. Changes nothing. A setting that is not in the file gets its
default. On a terminal, the plan is text. Otherwise it is JSON:
the counts create, update, delete, unchanged and not_in_file, and the list
changes. For text in a pipe, use --output table.`;

const exampleLines = [
  "siteward plan",
  "siteward plan clients.yaml --prune",
  "siteward plan --detailed-exitcode --output json > plan.json",
];
