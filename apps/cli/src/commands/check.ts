import { Readable } from "node:stream";
import { CliError } from "../errors/cli-error.ts";
import { readText } from "../files/read-text.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { defaultSiteFile } from "../flags/plan-flags.ts";
import { fitTerminal } from "../output/fit-terminal.ts";
import { note, warn } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import { writeText } from "../process/io.ts";
import { readSiteFile } from "../site-file/read-site-file.ts";
import { countProblems, howToStart, problemText } from "../sync/file-error.ts";
import { foreseeRefusals } from "../sync/foresee-refusals.ts";
import { problemView, toProblemRecord } from "../sync/problem-record.ts";
import { refuseRows } from "../sync/refuse-rows.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward check`. */
export const check: CommandSetup = (command, io) => {
  command
    .argument("[file]", "site file; - reads standard input", defaultSiteFile)
    .addHelpText("after", `\n${meaningHelp}\n${examples(["siteward check", "siteward check clients.yaml"])}`)
    .action(async (path: string) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, problemView);
      const { entries, problems, shared } = await readSiteFile(await readText(io, path, { ifMissing: howToStart }));
      if (problems.length > 0) refuseRows(path);
      const isText = output.format === "table" && flags.fields === undefined;
      if (isText) {
        const lines = problems.map((problem) => `${problemText(problem)}\n`).join("");
        await writeText(io.stdout, await fitTerminal(io.stdout, lines));
      } else await output.list(Readable.from(problems.map(toProblemRecord)));
      if (problems.length > 0) throw new CliError("input_refused", `${countProblems(path, problems)}.`);
      const unused = shared?.unused ?? [];
      if (unused.length > 0) await warn(io, flags, { head: "No website uses these lists:", things: unused });
      for (const warning of await foreseeRefusals(io, path, entries)) await warn(io, flags, warning);
      await note(io, `${path} is valid. It lists ${entries.length} ${entries.length === 1 ? "website" : "websites"}.`);
    });
};

const meaningHelp = `\
Checks the file by the rules of the service, and lists each problem with its line, up to a thousand. Sends no request. \
Warns of websites
that \`siteward plan\` or \`siteward apply\` can refuse, because they have no password or this environment does not
have it. It looks whether the environment variables of passwords are set, and whether their files exist and have a \
possible
size. It opens no such file.`;
