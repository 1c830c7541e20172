import { isApiError, type Siteward, type UpdateWebsite, type Website } from "@siteward/sdk";
import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";
import { errorOfNamed } from "./error-of-named.ts";
import type { Verdict } from "./result.ts";
import { runNamed } from "./run-named.ts";

/** What to create. */
export interface SeveralCreates {
  readonly domains: readonly string[];
  /** Those of each website. */
  readonly settings: UpdateWebsite;
}

/** What several creates have done. */
interface Creations {
  /** In the order of the domains. */
  readonly websites: readonly Website[];
  /** Undefined if every domain has a new website. */
  readonly error: unknown;
}

/** Creates a website for each domain, with the same settings. A domain that exists stays as it is, and the others follow. */
export async function createSeveral(
  io: Io,
  siteward: Siteward,
  { domains, settings }: SeveralCreates,
): Promise<Creations> {
  const websites: Website[] = [];
  const create = async (domain: string, waitSignal: AbortSignal): Promise<Verdict> => {
    try {
      const website = await siteward.websites.create({ ...settings, domain }, { waitSignal });
      websites.push(website);
      return { outcome: "created", id: website.id };
    } catch (error) {
      if (!isApiError(error, "domain_taken")) throw error;
      return { outcome: "refused", id: error.problem?.website_id, reason: "exists" };
    }
  };
  const items = domains.map((name) => ({ name }));
  const run = await runNamed(io, { label: "Creating", items, change: ({ name }, signal) => create(name, signal) });
  return { websites, error: errorOfNamed(run, { next: runAgain, allExist }) };
}

const changeExisting = "To change websites that exist, use `siteward websites update`.";
const runAgain = `Run the command again to create the rest. It says which exist. ${changeExisting}`;
const allExist = new CliError("already_exists", "Nothing was created: these websites exist already.", changeExisting);
