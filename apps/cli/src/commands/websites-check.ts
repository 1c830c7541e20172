import type { CountedHosts } from "@siteward/rules";
import type { Website } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import type { OptionValues } from "../flags/field-flags.ts";
import { choiceFlag, type Flag, textFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { refuseSharedStdin } from "../flags/request-flags.ts";
import { note } from "../output/notices.ts";
import { type Output, openOutput } from "../output/output.ts";
import { CliError } from "../process/cli-error.ts";
import { ExitWith, exitCodes } from "../process/exit-code.ts";
import type { Io } from "../process/io.ts";
import { isReaderGone } from "../process/write-error.ts";
import {
  createJudge,
  type Judge,
  lineView,
  type StatedVisit,
  toVisitRecord,
  type VisitField,
  visitView,
} from "../visits/judge-visits.ts";
import { findWebsite } from "../websites/find-website.ts";
import { parseWebsiteReference, type WebsiteReference } from "../websites/website-reference.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const visitFlags: Readonly<Record<VisitField, Flag<string>>> = {
  url: textFlag("--url <url>", "URL of the page"),
  ip: textFlag("--ip <address>", "IP address of the visitor; without it, exclude_ips is not judged"),
  user_agent: textFlag(
    "--user-agent <text>",
    "user agent of the visitor, '' if it sends none; without it, exclude_bots is not judged",
  ),
};
const hostsFlag = choiceFlag<CountedHosts>("--hosts <hosts>", "hosts that belong to the website (default: www)", {
  www: "www",
  exact: "exact",
  subdomains: "subdomains",
});

/** Sets up `siteward websites check`. */
export const websitesCheck: CommandSetup = (command, io) => {
  command
    .argument("<website>", "ID or domain of the website", parseWebsiteReference)
    .argument("[file]", "many visits, as NDJSON; - reads standard input");
  for (const { options } of [...Object.values(visitFlags), hostsFlag]) command.addOption(options[0]);
  command
    .addHelpText("after", `\n${meaningHelp}\n${examples(exampleLines)}`)
    .action(async (reference: WebsiteReference, path: string | undefined) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const visit = readVisit(command.opts(), path);
      if (path === "-") refuseSharedStdin("The argument -", flags);
      const file = path === undefined ? undefined : await import("../visits/judge-file.ts");
      const output = file?.openLineOutput(io, flags) ?? openOutput(io, flags, visitView);
      const siteward = await connect(io, flags);
      const website = await findWebsite(siteward, reference);
      const judge = await createJudge(website, hostsFlag.read(command.opts()) ?? "www");
      if (path !== undefined) await file?.judgeFile(io, flags, { path, judge, output });
      else await judgeOne(io, { website, visit, judge, output });
    });
  return lineView;
};

const meaningHelp = `\
Says whether a visit is counted, by the rules that the collector obeys: which
entry excludes it and why, or the URL under which it is counted, without the
parameters that exclude_params names.

A file has a visit in each line: {"url": "https://example.com/", "ip":
"203.0.113.7", "user_agent": "…"}, of which only url is required. Each line gets
a verdict with its number and its URL, as NDJSON unless you pass --output. The
counts by reason go to standard error. A line that is not a visit gets the
reason invalid.

Exit codes: 0 counted, 1 not counted, 2 wrong usage or a visit that is not
valid, 3 the website is not found, 8 the service or the network failed. Of a
file: 0 all lines are judged, whatever the verdicts, 2 there is no visit, 7 some
lines are not.`;

const exampleLines = [
  "siteward websites check example.com --url 'https://example.com/?utm_source=mail' --ip 203.0.113.7",
  "siteward websites check 7 --url https://blog.example.com/ --hosts subdomains",
  "siteward websites check example.com visits.ndjson --output csv > verdicts.csv",
];

/** @throws CliError `usage` if there is no visit, or both one and a file */
function readVisit(values: OptionValues, path: string | undefined): StatedVisit {
  const [url, ip, user_agent] = [visitFlags.url, visitFlags.ip, visitFlags.user_agent].map((flag) => flag.read(values));
  const isStated = url !== undefined || ip !== undefined || user_agent !== undefined;
  if (path === undefined && url === undefined)
    throw new CliError("usage", "There is no visit to check. Pass --url, or name a file with visits.");
  if (path !== undefined && isStated)
    throw new CliError("usage", "--url, --ip and --user-agent are one visit. Omit them, or omit the file.");
  return { url, ip, user_agent };
}

/** One visit of a website. */
interface VisitOfWebsite {
  readonly website: Website;
  readonly visit: StatedVisit;
  readonly judge: Judge;
  readonly output: Output;
}

async function judgeOne(io: Io, { website, visit, judge, output }: VisitOfWebsite): Promise<void> {
  const judgement = judge(visit);
  if ("field" in judgement) {
    const flag = visitFlags[judgement.field].options[0].long;
    throw new CliError("input_refused", `${flag} ${judgement.fault}.`);
  }
  await output.one(toVisitRecord(judgement, visit)).catch((error: unknown) => {
    // The exit code is the verdict, whether or not somebody reads the rest.
    if (!isReaderGone(error)) throw error;
  });
  if (!judgement.counted) throw new ExitWith(exitCodes.notCounted);
  if (visit.ip === undefined && website.exclude_ips.length > 0)
    await note(io, "exclude_ips is not judged: pass --ip with the address of the visitor.");
  if (visit.user_agent === undefined && website.exclude_bots === 1)
    await note(io, "exclude_bots is not judged: pass --user-agent.");
}
