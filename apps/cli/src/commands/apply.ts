import { Readable } from "node:stream";
import { connect } from "../client/connect.ts";
import { retriesOfMany } from "../client/create-client.ts";
import { CliError } from "../errors/cli-error.ts";
import { presenceFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { defaultParallel, parallelFlag } from "../flags/parallel-flag.ts";
import { confirmDeleteFlag, defaultSiteFile, pruneFlag, setPasswordsFlag } from "../flags/plan-flags.ts";
import { refuseSharedStdin } from "../flags/refuse-shared-stdin.ts";
import { mayPrompt } from "../input/prompts.ts";
import { fitTerminal } from "../output/fit-terminal.ts";
import { note } from "../output/notices.ts";
import { type Output, openOutput } from "../output/output.ts";
import { type Io, takesColor, writeText } from "../process/io.ts";
import type { FileProblem } from "../site-file/file-problem.ts";
import { carryOut } from "../sync/carry-out.ts";
import type { Plan } from "../sync/compute-plan.ts";
import { type Consent, checkConsent, promptForConsent } from "../sync/consent.ts";
import { fileError } from "../sync/file-error.ts";
import { makePlan, readEntries } from "../sync/make-plan.ts";
import { applyPolicy } from "../sync/policy.ts";
import { readPasswords } from "../sync/read-passwords.ts";
import { renderPlan } from "../sync/render-plan.ts";
import { errorOfApply, reportApply } from "../sync/report-apply.ts";
import { resultView, toResultRecord } from "../sync/result.ts";
import type { Run } from "../sync/run-all.ts";
import { runChanges } from "../sync/run-changes.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const yesFlag = presenceFlag("-y, --yes", "skip the confirmation prompt; required in scripts");
const changesFlag = parallelFlag("changes");

/** Sets up `siteward apply`. */
export const apply: CommandSetup = (command, io) => {
  command.argument("[file]", "site file; - reads standard input", defaultSiteFile);
  for (const flag of [pruneFlag, setPasswordsFlag, yesFlag, confirmDeleteFlag, changesFlag]) {
    command.addOption(flag.options[0]);
  }
  command.addHelpText("after", `\n${meaningHelp}\n${examples(exampleLines)}`).action(async (path: string) => {
    const flags = command.optsWithGlobals<GlobalFlags>();
    const values = command.opts();
    const consent: Consent = { isGiven: yesFlag.read(values) === true, deletes: confirmDeleteFlag.read(values) };
    if (!consent.isGiven && !mayPrompt(io, flags)) {
      throw new CliError("confirmation_required", "Applying a plan changes websites. Confirm with --yes.");
    }
    if (path === "-") refuseSharedStdin("The file -", flags);
    const output = openOutput(io, flags, resultView);
    const entries = await readEntries(io, path);
    const siteward = await connect(io, flags, retriesOfMany);
    const isPruned = pruneFlag.read(values) === true;
    const setsPasswords = setPasswordsFlag.read(values) === true;
    const policy = applyPolicy({ isPruned, setsPasswords });
    const { plan, tags } = await makePlan(io, siteward, { path, entries, policy });
    await showPlan(io, plan, { ascii: flags.ascii === true, output, consent });
    checkConsent(plan, consent);
    const { passwords, faults } = await readPasswords(io, path, plan.changes);
    if (faults.size > 0) throw fileError(path, problemsOf(plan, faults));
    if (plan.changes.length > 0 && !(await promptForConsent(io, plan, consent))) {
      await note(io, "Nothing was changed.");
      return;
    }
    const parallel = changesFlag.read(values) ?? defaultParallel;
    const run = await carryOut(io, { label: "Applying", total: plan.changes.length }, (live) =>
      runChanges(siteward, plan.changes, { ...live, policy, passwords, tags, parallel }),
    );
    await printResults(io, run, { output, isText: output.format === "table" && flags.fields === undefined });
    const error = errorOfApply(run);
    if (error !== undefined) throw error;
  });
};

const meaningHelp = `Shows the plan, asks, and then changes the account to match the file. \
Every change is sent only if the website is still as the
plan shows it. After the first failure, no other change starts. \
Deletes need --prune, start when everything else is done, and
are confirmed by their number.`;

const exampleLines = [
  "siteward apply",
  "siteward apply clients.yaml --yes",
  "siteward apply --prune --yes --confirm-delete 2",
];

/** Shows the plan before the prompt, or above the results. If the results are for programs, they have stdout to themselves. */
async function showPlan(
  io: Io,
  plan: Plan,
  { ascii, output, consent }: { readonly ascii: boolean; readonly output: Output; readonly consent: Consent },
): Promise<void> {
  if (output.format !== "table" && consent.isGiven) return;
  const sink = output.format === "table" ? io.stdout : io.stderr;
  await writeText(sink, await fitTerminal(sink, renderPlan(plan, { color: takesColor(sink, io.env), ascii })));
}

/** Says which passwords are missing or not valid, with their places in the file. */
function problemsOf({ changes }: Plan, faults: ReadonlyMap<string, string>): readonly FileProblem[] {
  return changes.flatMap(({ place, domain }) => {
    const problem = faults.get(domain);
    return place === undefined || problem === undefined ? [] : [{ place, domain, problem }];
  });
}

async function printResults(
  io: Io,
  run: Run,
  { output, isText }: { readonly output: Output; readonly isText: boolean },
): Promise<void> {
  if (isText) await writeText(io.stdout, await fitTerminal(io.stdout, reportApply(run)));
  else await output.list(Readable.from(run.results.map(toResultRecord)));
}
