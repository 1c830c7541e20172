import type { Siteward, Website } from "@siteward/sdk";
import { CliError } from "../process/cli-error.ts";
import type { DomainReference, WebsiteReference } from "./website-reference.ts";

/**
 * Returns the website with this ID or domain.
 *
 * @throws CliError `not_found` if no website has the domain
 * @throws ApiError `not_found` if no website has the ID
 */
export async function findWebsite(siteward: Siteward, reference: WebsiteReference): Promise<Website> {
  if ("id" in reference) return await siteward.websites.get(reference.id);
  const website = await siteward.websites.getByDomain(reference.domain);
  if (website === undefined) throw notFound(reference);
  return website;
}

/**
 * Returns the ID of a website. An ID is returned as it is, without a request: a website with it may not exist.
 *
 * @throws CliError `not_found` if no website has the domain
 */
export async function findWebsiteId(siteward: Siteward, reference: WebsiteReference): Promise<number> {
  return "id" in reference ? reference.id : (await findWebsite(siteward, reference)).id;
}

function notFound({ domain, typed }: DomainReference): CliError {
  const ascii = /\P{ASCII}/u.test(typed) ? ` (${domain})` : "";
  return new CliError(
    "not_found",
    `No website has the domain ${typed}${ascii}.`,
    `Create it with \`siteward websites create ${typed}\`, or list your websites with \`siteward websites list\`.`,
  );
}
