import type { CountedHosts } from "@siteward/rules";
import type { Website } from "@siteward/sdk";
import { Option } from "commander";
import { refuseSharedStdin } from "../flags/parse.ts";
import { note } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import { exitCodes } from "../process/exit-code.ts";
import type { Io } from "../process/io.ts";
import { evenIfUnread } from "../process/write-error.ts";
import { createJudge, lineView, type StatedVisit, toVisitRecord, visitView } from "../visits/judge-visits.ts";
import { findWebsite, parseWebsiteReference, type WebsiteReference } from "../websites/find-website.ts";
import type { CommandDefinition } from "./command.ts";

interface Flags {
  readonly url?: string;
  readonly ip?: string;
  readonly userAgent?: string;
  readonly hosts: CountedHosts;
}

/** `siteward websites check`. */
export const command: CommandDefinition<Flags> = {
  declare: (command) =>
    command
      .argument("<website>", "ID or domain of the website", parseWebsiteReference)
      .argument("[file]", "many visits, as NDJSON; - reads standard input")
      .option("--url <url>", "URL of the page")
      .option("--ip <address>", "IP address of the visitor; without it, exclude_ips is not judged")
      .option(
        "--user-agent <text>",
        "user agent of the visitor, '' if it sends none; without it, exclude_bots is not judged",
      )
      .addOption(
        new Option("--hosts <hosts>", "hosts that belong to the website")
          .choices(["www", "exact", "subdomains"])
          .default("www"),
      ),
  help: `\
Says whether a visit is counted, by the rules that the collector obeys: which
entry excludes it and why, or the URL under which it is counted, without the
parameters that exclude_params names.

A file has a visit in each line: {"url": "https://example.com/", "ip":
"203.0.113.7", "user_agent": "…"}, of which only url is required. Each line gets
a verdict with its number and its URL, as NDJSON unless you pass --output. The
counts by reason go to standard error. A line that is not a visit gets the
reason invalid.

Exit codes: 0 counted, 1 not counted, with the verdict on standard output, or
the service or the network failed, with nothing on it, 2 wrong usage or a visit
that is not valid, 3 the website is not found. Of a file: 0 all lines are
judged, whatever the verdicts, 2 there is no visit, 7 some lines are not.`,
  examples: [
    "siteward websites check example.com --url 'https://example.com/?utm_source=mail' --ip 203.0.113.7",
    "siteward websites check 7 --url https://blog.example.com/ --hosts subdomains",
    "siteward websites check example.com visits.ndjson --output csv > verdicts.csv",
  ],
  view: lineView,
  run: async ({ io, flags, openOutput, connect }, reference: WebsiteReference, path: string | undefined) => {
    const visit = readVisit(flags, path);
    if (path === "-") refuseSharedStdin("The argument -", flags);
    const file = path === undefined ? undefined : await import("../visits/judge-file.ts");
    const output = file?.openLineOutput(io, flags) ?? openOutput(visitView);
    const siteward = await connect();
    const website = await findWebsite(siteward, reference);
    const judge = await createJudge(website, flags.hosts);
    if (path !== undefined) return await file?.judgeFile(io, { path, judge, output });
    const judgement = judge(visit);
    if ("field" in judgement)
      throw new CliError("input_refused", `--${judgement.field.replace("_", "-")} ${judgement.fault}.`);
    await evenIfUnread(output.one(toVisitRecord(judgement, visit)));
    if (judgement.counted) await noteUnjudged(io, website, visit);
    else io.facts.exitCode = exitCodes.notCounted;
  },
};

/** @throws CliError `usage` if there is no visit, or both one and a file */
function readVisit({ url, ip, userAgent: user_agent }: Flags, path: string | undefined): StatedVisit {
  const isStated = url !== undefined || ip !== undefined || user_agent !== undefined;
  if (path === undefined && url === undefined)
    throw new CliError("usage", "There is no visit to check. Pass --url, or name a file with visits.");
  if (path !== undefined && isStated)
    throw new CliError("usage", "--url, --ip and --user-agent are one visit. Omit them, or omit the file.");
  return { url, ip, user_agent };
}

/** Says what was not judged because the visit does not state it. */
async function noteUnjudged(io: Io, website: Website, visit: StatedVisit): Promise<void> {
  if (visit.ip === undefined && website.exclude_ips.length > 0)
    await note(io, "exclude_ips was not judged. To judge it, pass --ip.");
  if (visit.user_agent === undefined && website.exclude_bots === 1)
    await note(io, "exclude_bots was not judged. To judge it, pass --user-agent.");
}
