import { isApiError, type Siteward, type UpdateWebsite, type Website } from "@siteward/sdk";
import type { Io } from "../process/io.ts";
import { errorOfSeveral } from "./error-of-several.ts";
import type { Verdict } from "./result.ts";
import { runSeveral } from "./run-several.ts";

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
  const existing: string[] = [];
  const create = async (domain: string, waitSignal: AbortSignal): Promise<Verdict> => {
    try {
      const website = await siteward.websites.create({ ...settings, domain }, { waitSignal });
      websites.push(website);
      return { outcome: "created", id: website.id };
    } catch (error) {
      if (!isApiError(error, "domain_taken")) throw error;
      existing.push(domain);
      return { outcome: "refused", id: error.problem?.website_id };
    }
  };
  const items = domains.map((name) => ({ name }));
  const run = await runSeveral(io, { label: "Creating", items, change: ({ name }, signal) => create(name, signal) });
  return { websites, error: errorOfSeveral(run, { howToRepeat, existing }) };
}

const howToRepeat = "Run the command again to create the rest. It says which exist.";
