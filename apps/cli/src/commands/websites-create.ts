import { Readable } from "node:stream";
import type { CreateWebsite, Siteward, UpdateWebsite, Website } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { retriesOfMany } from "../client/create-client.ts";
import { CliError } from "../errors/cli-error.ts";
import { addFieldFlags, type FieldFlags, readFieldFlags } from "../flags/field-flags.ts";
import { textFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { idempotencyKeyFlag } from "../flags/request-flags.ts";
import { promptForPassword } from "../input/prompt-for-password.ts";
import { mayPrompt } from "../input/prompts.ts";
import { note } from "../output/notices.ts";
import { type Output, openOutput } from "../output/output.ts";
import { websiteName } from "../output/website-name.ts";
import type { Io } from "../process/io.ts";
import { lacksPassword, websiteFlags } from "../settings/website-flags.ts";
import { websiteView } from "../settings/website-view.ts";
import { createSeveral, type SeveralCreates } from "../sync/create-several.ts";
import { checkDomains } from "../websites/check-domains.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const domainFlag = textFlag("--domain <domain>", "domain of the website, instead of the argument");
const createFlags: FieldFlags<CreateWebsite> = { domain: domainFlag, ...websiteFlags };

/** Sets up `siteward websites create`. */
export const websitesCreate: CommandSetup = (command, io) => {
  addFieldFlags(command.argument("[domain...]", "domains of the websites"), createFlags)
    .addOption(idempotencyKeyFlag.options[0])
    .addHelpText("after", `\n${severalHelp}\n${examples(exampleLines)}`)
    .action(async (given: readonly string[]) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const chosen = chooseDomains(given, domainFlag.read(command.opts()));
      const isList = chosen.length > 1;
      const idempotencyKey = idempotencyKeyFlag.read(command.opts());
      if (idempotencyKey !== undefined && isList) throw keyOfOne();
      const domains = isList ? checkDomains(chosen) : chosen;
      const output = openOutput(io, flags, websiteView);
      const fields = await readFieldFlags<UpdateWebsite>(websiteFlags, command, io);
      const siteward = await connect(io, flags, isList ? retriesOfMany : 0);
      const settings = await withPassword(io, flags, fields);
      if (isList) return await createList(io, siteward, output, { domains, settings });
      const [domain = ""] = domains;
      const { website, isRepeated } = await create(siteward, { ...settings, domain }, idempotencyKey);
      await output.one(website);
      await note(io, `${isRepeated ? "Already created" : "Created"} ${await websiteName(website, flags)}.`);
    });
};

const severalHelp = `\
Several domains get the same settings, and the result is an array. The command checks all domains first, creates the
websites in order, and waits while the rate limit refuses requests. It says which websites exist already, and creates
the others. It stops at any other failure, and names the rest. To create the websites of a file, use \`siteward import\`.`;

const exampleLines = [
  "siteward websites create example.com",
  "siteward websites create example.com example.org --exclude-params 'utm_*,ref' --exclude-ips 203.0.113.0/24",
  "siteward websites create example.com --privacy password --password-stdin < password.txt",
  "siteward websites create example.com --idempotency-key import-2026-01-15-example.com",
];

function chooseDomains(given: readonly string[], flag: string | undefined): readonly string[] {
  if (flag !== undefined && given.some((domain) => domain !== flag)) {
    throw new CliError("usage", "Domains were given as arguments and with --domain. Pass all of them as arguments.");
  }
  if (given.includes("-")) {
    throw new CliError("usage", '"-" is not a domain. To read domains from standard input, use `siteward import -`.');
  }
  if (given.length > 0) return given;
  if (flag === undefined) throw new CliError("usage", "The domain is missing. Pass it as an argument.");
  return [flag];
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

interface Creation {
  readonly website: Website;
  /** Whether an earlier request with the same idempotency key created the website. */
  readonly isRepeated: boolean;
}

async function create(siteward: Siteward, input: CreateWebsite, idempotencyKey?: string): Promise<Creation> {
  const { data, response } = await siteward.websites.create(input, { idempotencyKey }).withResponse();
  return { website: data, isRepeated: response.headers.get("idempotency-replayed") === "true" };
}

/** Creates several websites, and prints what was created, also before a failure. */
async function createList(io: Io, siteward: Siteward, output: Output, request: SeveralCreates): Promise<void> {
  const { websites, error } = await createSeveral(io, siteward, request);
  if (websites.length > 0) await output.list(Readable.from(websites));
  if (error !== undefined) throw error;
  await note(io, `Created ${websites.length} websites.`);
}
