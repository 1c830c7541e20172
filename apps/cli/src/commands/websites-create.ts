import type { CreateWebsite } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { CliError } from "../errors/cli-error.ts";
import { addFieldFlags, type FieldFlags, readFieldFlags } from "../flags/field-flags.ts";
import { textFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { idempotencyKeyFlag } from "../flags/request-flags.ts";
import { lacksPassword, websiteFlags } from "../flags/website-flags.ts";
import { promptForPassword } from "../input/prompt-for-password.ts";
import { mayPrompt } from "../input/prompts.ts";
import { note } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import { websiteView } from "../output/website-view.ts";
import type { Io } from "../process/io.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const domainFlag = textFlag("--domain <domain>", "domain of the website, instead of the argument");
const createFlags: FieldFlags<CreateWebsite> = { domain: domainFlag, ...websiteFlags };

/** Sets up `siteward websites create`. */
export const websitesCreate: CommandSetup = (command, io) => {
  addFieldFlags(command.argument("[domain]", "domain of the website"), createFlags)
    .addOption(idempotencyKeyFlag.options[0])
    .addHelpText("after", examples(exampleLines))
    .action(async (argument: string | undefined) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const domain = chooseDomain(argument, domainFlag.read(command.opts()));
      const output = openOutput(io, flags, websiteView);
      const fields = await readFieldFlags<CreateWebsite>(createFlags, command, io);
      const siteward = await connect(io, flags);
      const input = await withPassword(io, flags, { ...fields, domain });
      const idempotencyKey = idempotencyKeyFlag.read(command.opts());
      const { data, response } = await siteward.websites.create(input, { idempotencyKey }).withResponse();
      await output.one(data);
      const isRepeated = response.headers.get("idempotency-replayed") === "true";
      await note(io, `${isRepeated ? "Already created" : "Created"} ${data.domain} (ID ${data.id}).`);
    });
};

const exampleLines = [
  "siteward websites create example.com",
  "siteward websites create example.com --exclude-params 'utm_*,ref' --exclude-ips 203.0.113.0/24",
  "siteward websites create example.com --privacy password --password-stdin < password.txt",
  "siteward websites create example.com --idempotency-key import-2026-01-15-example.com",
];

function chooseDomain(argument: string | undefined, flag: string | undefined): string {
  if (argument !== undefined && flag !== undefined && argument !== flag) {
    throw new CliError("usage", `Two domains were given, ${argument} and ${flag}. Create one website at a time.`);
  }
  const domain = argument ?? flag;
  if (domain === undefined) throw new CliError("usage", "The domain is missing. Pass it as an argument.");
  return domain;
}

/** Adds the password that the privacy level requires: prompts for it if the command may prompt. */
async function withPassword(io: Io, flags: GlobalFlags, input: CreateWebsite): Promise<CreateWebsite> {
  if (!lacksPassword(input)) return input;
  if (mayPrompt(io, flags)) return { ...input, password: await promptForPassword(io) };
  throw new CliError("usage", "--privacy password requires a password. Pass it with --password-stdin.");
}
