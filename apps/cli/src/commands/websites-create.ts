import { parseDomain } from "@siteward/contract/plain";
import type { UpdateWebsite } from "@siteward/sdk";
import { retriesOfMany } from "../client/connect.ts";
import { mayPrompt, promptForPassword } from "../client/prompts.ts";
import { idempotencyKeyFlag, notForSeveral } from "../flags/parse.ts";
import { websiteName } from "../output/domain-text.ts";
import { withList } from "../output/lists.ts";
import { note } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import { addWebsiteFlags, lacksPassword, readWebsiteFlags, type WebsiteFlags } from "../websites/website-flags.ts";
import { websiteView } from "../websites/website-view.ts";
import { changeSeveral } from "./change-several.ts";
import type { Call, CommandDefinition } from "./command.ts";

interface Flags extends WebsiteFlags {
  readonly idempotencyKey?: string;
}

/** `siteward websites create`. */
export const command: CommandDefinition<Flags> = {
  declare: (command) =>
    addWebsiteFlags(command.argument("<domain...>", "domains of the websites")).option(...idempotencyKeyFlag),
  help: `\
Several domains get the same settings, and the result is an array. The command
checks all domains first, creates the websites in order, and waits while the
rate limit refuses requests. It says which websites exist already, and creates
the others. It stops at any other failure, and names the rest. To create the
websites of a file, use \`siteward import\`.`,
  examples: [
    "siteward websites create example.com",
    "siteward websites create example.com example.org --exclude-params 'utm_*,ref' --exclude-ips 203.0.113.0/24",
    "siteward websites create example.com --privacy password --password-stdin < password.txt",
    "siteward websites create example.com --idempotency-key import-2026-01-15-example.com",
  ],
  view: websiteView,
  run: async (call, given: readonly string[]) => {
    const { io, flags } = call;
    const { idempotencyKey } = flags;
    if (given.includes("-"))
      throw new CliError("usage", '"-" is not a domain. To read domains from standard input, use `siteward import -`.');
    if (idempotencyKey !== undefined && given.length > 1)
      throw notForSeveral("--idempotency-key", "An idempotency key", "create");
    const domains = given.length > 1 ? checkDomains(given) : given;
    const output = call.openOutput();
    const fields = await readWebsiteFlags(io, flags);
    const siteward = await call.connect(given.length > 1 ? retriesOfMany : 0);
    const set = await withPassword(call, fields);
    if (given.length > 1) {
      const changes = domains.map((domain) => ({ action: "create", domain, set }) as const);
      return await changeSeveral(io, siteward, output, { changes, retries: flags.retries, ...severalCreates });
    }
    const [domain = ""] = domains;
    const creation = siteward.websites.create({ ...set, domain }, { idempotencyKey });
    const { data: website, response } = await creation.withResponse();
    await output.one(website);
    const isRepeated = response.headers.get("idempotency-replayed") === "true";
    await note(io, `${isRepeated ? "Already created" : "Created"} ${websiteName(website, flags)}.`);
  },
};

const changeExisting = "To change websites that exist, use `siteward websites update`.";

const severalCreates = {
  words: ["Creating", "Created"],
  again: `Run the command again to create the rest. It says which exist. ${changeExisting}`,
  refused: (which: "some" | "all", counts: string) =>
    which === "some"
      ? new CliError("partly_done", `Some of the websites exist already (${counts}).`, changeExisting)
      : new CliError("already_exists", "Nothing was created: these websites exist already.", changeExisting),
} as const;

/**
 * Checks domains before anything is sent, and returns each website's once, as it was first typed.
 *
 * @throws CliError `usage` that says what is wrong with each string that is not a domain
 */
function checkDomains(texts: readonly string[]): readonly string[] {
  const domains = new Map<string, string>();
  const faults: string[] = [];
  for (const text of texts) {
    const parsed = parseDomain(text);
    if (!parsed.ok) faults.push(`${JSON.stringify(text)} ${parsed.reason}`);
    else if (!domains.has(parsed.value)) domains.set(parsed.value, text);
  }
  if (faults.length === 0) return [...domains.values()];
  const count = `${faults.length} of ${texts.length} domains ${faults.length === 1 ? "is" : "are"} not valid`;
  throw new CliError("usage", withList(`Nothing was created: ${count}.`, faults));
}

/** Adds the password that the privacy level requires: prompts for it if the command may prompt. */
async function withPassword({ io, flags }: Call, settings: UpdateWebsite): Promise<UpdateWebsite> {
  if (!lacksPassword(settings)) return settings;
  if (mayPrompt(io, flags)) return { ...settings, password: await promptForPassword(io) };
  throw new CliError("usage", "--privacy password requires a password. Pass it with --password-stdin.");
}
