import { Readable } from "node:stream";
import type { CreateWebsite, Siteward, UpdateWebsite, Website } from "@siteward/sdk";
import { connect, retriesOfMany } from "../client/connect.ts";
import { mayPrompt, promptForPassword } from "../client/prompts.ts";
import { addFieldFlags, type FieldFlags, readFieldFlags } from "../flags/field-flags.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { idempotencyKeyFlag } from "../flags/request-flags.ts";
import { note } from "../output/notices.ts";
import { type Output, openOutput } from "../output/output.ts";
import { websiteName } from "../output/website-name.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import type { Creation } from "../sync/decide.ts";
import { argumentPolicy } from "../sync/policy.ts";
import { errorOfRun } from "../sync/report.ts";
import { run } from "../sync/run.ts";
import { checkDomains } from "../websites/check-domains.ts";
import { lacksPassword, websiteFlags } from "../websites/website-flags.ts";
import { websiteView } from "../websites/website-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const createFlags: FieldFlags<CreateWebsite> = { domain: { reason: "the argument is the domain" }, ...websiteFlags };

/** Sets up `siteward websites create`. */
export const websitesCreate: CommandSetup = (command, io) => {
  addFieldFlags(command.argument("<domain...>", "domains of the websites"), createFlags)
    .addOption(idempotencyKeyFlag.options[0])
    .addHelpText("after", `\n${severalHelp}\n${examples(exampleLines)}`)
    .action(async (given: readonly string[]) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      refuseStandardInput(given);
      const isList = given.length > 1;
      const idempotencyKey = idempotencyKeyFlag.read(command.opts());
      if (idempotencyKey !== undefined && isList) throw keyOfOne();
      const domains = isList ? checkDomains(given) : given;
      const output = openOutput(io, flags, websiteView);
      const fields = await readFieldFlags<UpdateWebsite>(websiteFlags, command, io);
      const siteward = await connect(io, flags, isList ? retriesOfMany : 0);
      const settings = await withPassword(io, flags, fields);
      if (isList) return await createSeveral(io, siteward, output, { domains, settings });
      const [domain = ""] = domains;
      const { website, isRepeated } = await create(siteward, { ...settings, domain }, idempotencyKey);
      await output.one(website);
      await note(io, `${isRepeated ? "Already created" : "Created"} ${await websiteName(website, flags)}.`);
    });
  return websiteView;
};

const severalHelp = `\
Several domains get the same settings, and the result is an array. The command
checks all domains first, creates the websites in order, and waits while the
rate limit refuses requests. It says which websites exist already, and creates
the others. It stops at any other failure, and names the rest. To create the
websites of a file, use \`siteward import\`.`;

const exampleLines = [
  "siteward websites create example.com",
  "siteward websites create example.com example.org --exclude-params 'utm_*,ref' --exclude-ips 203.0.113.0/24",
  "siteward websites create example.com --privacy password --password-stdin < password.txt",
  "siteward websites create example.com --idempotency-key import-2026-01-15-example.com",
];

function refuseStandardInput(domains: readonly string[]): void {
  if (!domains.includes("-")) return;
  throw new CliError("usage", '"-" is not a domain. To read domains from standard input, use `siteward import -`.');
}

function keyOfOne(): CliError {
  const message = "An idempotency key belongs to one website. With --idempotency-key, create one website at a time.";
  return new CliError("usage", message);
}

/** Adds the password that the privacy level requires: prompts for it if the command may prompt. */
async function withPassword(io: Io, flags: GlobalFlags, settings: UpdateWebsite): Promise<UpdateWebsite> {
  if (!lacksPassword(settings)) return settings;
  if (mayPrompt(io, flags)) return { ...settings, password: await promptForPassword(io) };
  throw new CliError("usage", "--privacy password requires a password. Pass it with --password-stdin.");
}

interface CreatedWebsite {
  readonly website: Website;
  /** Whether an earlier request with the same idempotency key created the website. */
  readonly isRepeated: boolean;
}

async function create(siteward: Siteward, input: CreateWebsite, idempotencyKey?: string): Promise<CreatedWebsite> {
  const { data, response } = await siteward.websites.create(input, { idempotencyKey }).withResponse();
  return { website: data, isRepeated: response.headers.get("idempotency-replayed") === "true" };
}

/** What to create: a website for each domain, with the same settings. */
interface SeveralCreates {
  readonly domains: readonly string[];
  readonly settings: UpdateWebsite;
}

/** Creates several websites, and prints what was created, also before a failure. A domain that exists stays as it is. */
async function createSeveral(
  io: Io,
  siteward: Siteward,
  output: Output,
  { domains, settings: { password, ...stated } }: SeveralCreates,
): Promise<void> {
  // The flags have the values of the settings.
  const settings = stated as Creation["settings"];
  const websites: Website[] = [];
  const done = await run(
    io,
    siteward,
    domains.map((domain) => ({ action: "create", domain, settings })),
    {
      label: "Creating",
      policy: argumentPolicy({ acceptsMissing: false }),
      passwords: new Map(password === undefined ? [] : domains.map((domain) => [domain, password])),
      onWebsite: (website) => websites.push(website),
    },
  );
  if (websites.length > 0) await output.list(Readable.from(websites));
  const error = errorOfRun(done, {
    again: `Run the command again to create the rest. It says which exist. ${changeExisting}`,
    namesRest: true,
    refused: (which, counts) =>
      which === "some"
        ? new CliError("partly_done", `Some of the websites exist already (${counts}).`, changeExisting)
        : new CliError("already_exists", "Nothing was created: these websites exist already.", changeExisting),
  });
  if (error !== undefined) throw error;
  await note(io, `Created ${websites.length} websites.`);
}

const changeExisting = "To change websites that exist, use `siteward websites update`.";
