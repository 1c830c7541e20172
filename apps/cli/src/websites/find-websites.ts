import { isApiError, type Siteward, type Website } from "@siteward/sdk";
import { nameSome } from "../output/lists.ts";
import { CliError } from "../process/cli-error.ts";
import { StoppedError } from "../process/stopped-error.ts";
import { findByDomains } from "./find-by-domains.ts";
import { findWebsite } from "./find-website.ts";
import { nameOfReference, type WebsiteReference } from "./website-reference.ts";

/** A website that the user named, and how. */
interface NamedWebsite {
  readonly name: string;
  readonly website: Website;
}

/** The websites that were found, and the names of those that do not exist. */
interface Findings {
  readonly found: readonly NamedWebsite[];
  readonly missing: readonly string[];
}

/** What becomes of websites that do not exist. */
interface MissingRules {
  readonly isMissingIgnored?: boolean;
  /** What to do else than to list the websites, as the end of a sentence. */
  readonly advice?: string;
}

/**
 * Finds several websites, each once and in the order in which it was first named.
 *
 * @throws StoppedError of `not_found` that names every website that does not exist, unless these are ignored
 */
export async function findWebsites(
  siteward: Siteward,
  references: readonly WebsiteReference[],
  { isMissingIgnored = false, advice = "" }: MissingRules = {},
): Promise<Findings> {
  const [first, ...others] = references;
  if (first !== undefined && others.length === 0 && !isMissingIgnored) {
    return { found: [{ name: nameOfReference(first), website: await findWebsite(siteward, first) }], missing: [] };
  }
  const domains = new Set(references.flatMap((reference) => ("id" in reference ? [] : [reference.domain])));
  const byDomain = domains.size === 0 ? undefined : (await findByDomains(siteward, domains)).byDomain;
  const found = new Map<number, NamedWebsite>();
  const missing: string[] = [];
  for (const reference of references) {
    const website =
      "id" in reference
        ? (found.get(reference.id)?.website ?? (await getIfExists(siteward, reference.id)))
        : byDomain?.get(reference.domain);
    const name = nameOfReference(reference);
    if (website === undefined) missing.push(name);
    else if (!found.has(website.id)) found.set(website.id, { name, website });
  }
  if (missing.length > 0 && !isMissingIgnored) throw new StoppedError(notFound(missing, advice), { missing });
  return { found: [...found.values()], missing };
}

async function getIfExists(siteward: Siteward, id: number): Promise<Website | undefined> {
  try {
    return await siteward.websites.get(id);
  } catch (error) {
    if (isApiError(error, "not_found")) return undefined;
    throw error;
  }
}

function notFound(missing: readonly string[], advice: string): CliError {
  const named = nameSome(missing);
  const message = missing.length === 1 ? `Website ${named} does not exist.` : `These websites do not exist: ${named}.`;
  const next = `Nothing was changed. List your websites with \`siteward websites list\`${advice}.`;
  return new CliError("not_found", message, next);
}
