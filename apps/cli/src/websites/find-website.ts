import { parseDomain } from "@siteward/contract/plain";
import type { Siteward, Website } from "@siteward/sdk";
import { readVersions, type Version } from "@siteward/sdk/bulk";
import { nameSome } from "../output/lists.ts";
import { CliError } from "../process/cli-error.ts";
import { StoppedError } from "../process/stopped-error.ts";

/** How a person names a website: by its ID, or by its domain, also as it was typed. */
export type WebsiteReference = { readonly id: number } | { readonly domain: string; readonly typed: string };

/**
 * Parses the ID or the domain of a website, in any form that a create accepts, or its URL. No domain has only digits.
 *
 * @throws CliError `usage`
 */
export function parseWebsiteReference(text: string): WebsiteReference {
  const typed = text.trim().replace(/^https?:\/\/([^/?#:@]+)\/?$/i, "$1");
  const isId = /^[1-9]\d*$/.test(typed) && Number.isSafeInteger(Number(typed));
  if (isId) return { id: Number(typed) };
  if (/^\d+$/.test(typed)) throw notAReference(text, "an ID is a whole number, 1 or higher");
  const parsed = parseDomain(typed);
  if (!parsed.ok) throw notAReference(text, `it ${parsed.reason}`);
  return { domain: parsed.value, typed };
}

/** Parses one more ID or domain. */
export function collectWebsiteReferences(
  text: string,
  earlier: readonly WebsiteReference[] = [],
): readonly WebsiteReference[] {
  return [...earlier, parseWebsiteReference(text)];
}

function notAReference(text: string, reason: string): CliError {
  return new CliError(
    "usage",
    `${JSON.stringify(text)} is not the ID or domain of a website: ${reason}.`,
    "List your websites with `siteward websites list`.",
  );
}

/**
 * Returns the website with this ID or domain.
 *
 * @throws CliError `not_found` if no website has the domain
 * @throws ApiError `not_found` if no website has the ID
 */
export async function findWebsite(siteward: Siteward, reference: WebsiteReference): Promise<Website> {
  if ("id" in reference) return await siteward.websites.get(reference.id);
  const { domain, typed } = reference;
  const website = await siteward.websites.getByDomain(domain);
  if (website !== undefined) return website;
  const ascii = /\P{ASCII}/u.test(typed) ? ` (${domain})` : "";
  throw new CliError(
    "not_found",
    `No website has the domain ${typed}${ascii}.`,
    `Create it with \`siteward websites create ${typed}\`, or list your websites with \`siteward websites list\`.`,
  );
}

/**
 * Returns the ID of a website. An ID is returned as it is, without a request: a website with it may not exist.
 *
 * @throws CliError `not_found` if no website has the domain
 */
export async function findWebsiteId(siteward: Siteward, reference: WebsiteReference): Promise<number> {
  return "id" in reference ? reference.id : (await findWebsite(siteward, reference)).id;
}

/** The websites that were found, each as it was named, and the names of those that do not exist. */
export interface Findings<Found = Website> {
  readonly found: readonly { readonly name: string; readonly website: Found }[];
  readonly missing: readonly string[];
}

/** Finds several websites with their entity tags, each once, in the order of their names. */
export async function findWebsites(siteward: Siteward, references: readonly WebsiteReference[]) {
  const ids = new Set(references.flatMap((reference) => ("id" in reference ? [reference.id] : [])));
  const domains = new Set(references.flatMap((reference) => ("id" in reference ? [] : [reference.domain])));
  const { versions } = await readVersions(siteward, { ids, domains });
  const byDomain = new Map(Array.from(versions.values(), (version) => [version.website.domain, version]));
  const found = new Map<number, { readonly name: string } & Version>();
  const missing: string[] = [];
  for (const reference of references) {
    const version = "id" in reference ? versions.get(reference.id) : byDomain.get(reference.domain);
    const name = "id" in reference ? String(reference.id) : reference.typed;
    if (version === undefined) missing.push(name);
    else if (!found.has(version.website.id)) found.set(version.website.id, { name, ...version });
  }
  return { found: [...found.values()], missing };
}

/** @throws StoppedError of `not_found` that names every website that does not exist */
export function refuseMissing(missing: readonly string[], advice = ""): void {
  if (missing.length === 0) return;
  const message = `Does not exist: ${nameSome(missing)}.`;
  const next = `Nothing was changed. List your websites with \`siteward websites list\`${advice}.`;
  throw new StoppedError(new CliError("not_found", message, next), { missing });
}
