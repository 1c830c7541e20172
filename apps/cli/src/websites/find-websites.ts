import { isApiError, type Siteward, type Website } from "@siteward/sdk";
import { CliError } from "../errors/cli-error.ts";
import { findByDomains } from "./find-by-domains.ts";
import { findWebsite } from "./find-website.ts";
import { nameOfReference, type WebsiteReference } from "./website-reference.ts";

/** A website that the user named, and how. */
interface NamedWebsite {
  readonly name: string;
  readonly website: Website;
}

/**
 * Finds several websites, each once and in the order in which it was first named.
 *
 * @throws CliError `not_found` that names every website that does not exist
 */
export async function findWebsites(
  siteward: Siteward,
  references: readonly WebsiteReference[],
): Promise<readonly NamedWebsite[]> {
  const [first, ...others] = references;
  if (first !== undefined && others.length === 0) {
    return [{ name: nameOfReference(first), website: await findWebsite(siteward, first) }];
  }
  const domains = references.flatMap((reference) => ("id" in reference ? [] : [reference.domain]));
  const byDomain = await findByDomains(siteward, new Set(domains));
  const found = new Map<number, NamedWebsite>();
  const missing: string[] = [];
  for (const reference of references) {
    const website =
      "id" in reference
        ? (found.get(reference.id)?.website ?? (await getIfExists(siteward, reference.id)))
        : byDomain.get(reference.domain);
    const name = nameOfReference(reference);
    if (website === undefined) missing.push(name);
    else if (!found.has(website.id)) found.set(website.id, { name, website });
  }
  if (missing.length > 0) throw notFound(missing);
  return [...found.values()];
}

async function getIfExists(siteward: Siteward, id: number): Promise<Website | undefined> {
  try {
    return await siteward.websites.get(id);
  } catch (error) {
    if (isApiError(error, "not_found")) return undefined;
    throw error;
  }
}

const maxNamed = 20;

function notFound(missing: readonly string[]): CliError {
  const rest = missing.length - maxNamed;
  const named = `${missing.slice(0, maxNamed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const message = missing.length === 1 ? `Website ${named} does not exist.` : `These websites do not exist: ${named}.`;
  return new CliError("not_found", message, "Nothing was changed. List your websites with `siteward websites list`.");
}
