import { mayPrompt, promptForConfirmation, promptForText } from "../client/prompts.ts";
import { readPasswords } from "../files/passwords.ts";
import type { FileProblem } from "../files/site/file-problem.ts";
import { wholeNumber } from "../flags/parse.ts";
import { note } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import { exposureOf } from "../sync/exposure.ts";
import { countChanges, type Plan } from "../sync/plan.ts";
import { fileError } from "../sync/problems.ts";
import { errorOfRun, printRun, summarizeRun } from "../sync/report.ts";
import { resultView } from "../sync/result.ts";
import { run } from "../sync/run.ts";
import type { Call, CommandDefinition } from "./command.ts";
import { allowPublicFlag, type ConsentFlags, mayExpose } from "./consent.ts";
import { declarePlan, type PlanFlags, planFile, printPlan } from "./plan.ts";

interface Flags extends PlanFlags, ConsentFlags {
  readonly yes?: true;
  readonly confirmDelete?: number;
}

/** `siteward apply`. */
export const command: CommandDefinition<Flags> = {
  declare: (command) =>
    declarePlan(command)
      .option("-y, --yes", "skip the confirmation prompt; required in scripts")
      .option(
        "--confirm-delete <count>",
        "with --prune: how many websites to delete; if the plan has another number, nothing changes",
        wholeNumber(0),
      )
      .option(...allowPublicFlag),
  help: `\
Shows the plan, asks, and then changes the account to match the file. Every
change is sent only if the website is still as the plan shows it. After the
first failure, no other change starts. Deletes need --prune, run last, and you
confirm them by typing their number.`,
  examples: ["siteward apply", "siteward apply clients.yaml --yes", "siteward apply --prune --yes --confirm-delete 2"],
  view: resultView,
  run: async (call, path: string) => {
    const { io, flags } = call;
    if (flags.yes !== true && !mayPrompt(io, flags))
      throw new CliError("confirmation_required", "Applying a plan changes websites. Confirm with --yes.");
    const output = call.openOutput();
    const { siteward, policy, plan } = await planFile(call, path);
    // Above the results, or before the prompt. If the results are for programs, they have stdout to themselves.
    if (output.format === "table") await printPlan(call, plan, io.stdout);
    else if (flags.yes !== true) await printPlan(call, plan, io.stderr);
    checkConsent(plan, flags);
    const { passwords, faults } = await readPasswords(io, path, plan.changes);
    if (faults.size > 0) throw fileError(path, problemsOf(plan, faults));
    if (plan.changes.length > 0 && !(await promptForConsent(call, plan))) return await note(io, "Nothing was changed.");
    const options = { label: "Applying", policy, passwords, retries: flags.retries };
    const done = await run(io, siteward, plan.changes, options);
    await printRun(io, done, output, summarizeRun(done));
    const error = errorOfRun(done, { again, namesRest: true });
    if (error !== undefined) throw error;
  },
};

/** Says which passwords are missing or not valid, with their places in the file. */
function problemsOf({ changes }: Plan, faults: ReadonlyMap<string, string>): readonly FileProblem[] {
  return changes.flatMap(({ place, domain }) => {
    const problem = faults.get(domain);
    return place === undefined || problem === undefined ? [] : [{ place, domain, problem }];
  });
}

const again = "Run the command again to see and do the rest. What is done is not done again.";

/**
 * Checks the number of deletes of a plan before anything is changed.
 *
 * @throws CliError `confirmation_required` if another number was given, or none and there is no prompt for it
 */
function checkConsent(plan: Plan, { yes, prune, confirmDelete }: Flags): void {
  const { delete: count } = countChanges(plan);
  const found = count === 1 ? "The plan deletes 1 website" : `The plan deletes ${count} websites`;
  if (confirmDelete !== undefined && confirmDelete !== count)
    throw new CliError(
      "confirmation_required",
      `${found}, not ${confirmDelete}. Nothing was changed.`,
      prune === true ? undefined : "Only with --prune are websites deleted.",
    );
  if (yes === true && confirmDelete === undefined && count > 0) {
    const next = `To delete ${count === 1 ? "it" : "them"}, add --confirm-delete ${count}.`;
    throw new CliError("confirmation_required", `${found}. Nothing was changed.`, next);
  }
}

/**
 * Prompts for what was not agreed to yet. Deletes are confirmed by their number.
 *
 * @returns whether to apply the plan
 * @throws CliError `interrupted` if the person cancels
 */
async function promptForConsent(call: Call<Flags>, plan: Plan): Promise<boolean> {
  const { io, flags } = call;
  const exposure = exposureOf(plan.changes);
  // At a terminal, the plan says which new ones are public.
  const created = mayPrompt(io, flags) ? [] : exposure.created;
  if (flags.yes === true) return await mayExpose(call, { ...exposure, created }, "Apply these changes?");
  const { delete: count } = countChanges(plan);
  if (count === 0 || flags.confirmDelete !== undefined) return await promptForConfirmation(io, "Apply these changes?");
  const websites = count === 1 ? "1 website" : `${count} websites`;
  const message = `This deletes ${websites}, which cannot be undone. Type ${count} to apply the plan.`;
  await promptForText(io, message, (text) =>
    text.trim() === String(count) ? undefined : `Type ${count}, or press Ctrl-C to cancel.`,
  );
  return true;
}
