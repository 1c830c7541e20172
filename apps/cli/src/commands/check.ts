import { readText } from "../files/read-text.ts";
import { maxProblems } from "../files/site/file-problem.ts";
import { readSiteFile } from "../files/site/read-site-file.ts";
import { note, warn } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import { writeText } from "../process/io.ts";
import { evenIfUnread } from "../process/write-error.ts";
import { foreseeRefusals } from "../sync/plan.ts";
import { countProblems, howToStart, problemText, problemView, toProblemRecord } from "../sync/problems.ts";
import type { CommandDefinition } from "./command.ts";
import { siteFileArgument } from "./plan.ts";

/** `siteward check`. */
export const command: CommandDefinition = {
  declare: (command) => command.argument(...siteFileArgument),
  help: `\
Checks the file by the rules of the service, and lists each problem with its
line, up to a thousand. Sends no request. Warns of websites that \`siteward plan\`
or \`siteward apply\` can refuse because their password is missing here: its
environment variable is not set, or its file does not exist. The files of
passwords are not opened.`,
  examples: ["siteward check", "siteward check clients.yaml"],
  view: problemView,
  run: async ({ io, openOutput }, path: string) => {
    const output = openOutput();
    const { entries, problems, lists } = await readSiteFile(await readText(io, path, { ifMissing: howToStart }));
    const listed = problems.slice(0, maxProblems);
    const text = listed.map((problem) => `${problemText(problem)}\n`).join("");
    await evenIfUnread(output.isText ? writeText(io.stdout, text) : output.list(listed.map(toProblemRecord)));
    if (problems.length > 0) {
      const rest =
        problems.length > listed.length ? `. The first ${listed.length.toLocaleString("en-US")} are listed` : "";
      throw new CliError("input_refused", `${countProblems(path, problems)}${rest}.`);
    }
    const unused = lists?.unused ?? [];
    const head = "No website uses these lists, so what is in them is not checked:";
    if (unused.length > 0) await warn(io, { head, things: unused });
    for (const warning of await foreseeRefusals(io, path, entries)) await warn(io, warning);
    await note(io, `${path} is valid. It lists ${entries.length} ${entries.length === 1 ? "website" : "websites"}.`);
  },
};
