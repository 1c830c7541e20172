import type { createWebsiteBody, Website } from "@siteward/contract";
import type { FakeState } from "../state/fake-state.ts";

/**
 * Inserts a website into the account.
 *
 * @throws AppError `domain_taken` or `website_limit_reached`
 */
export function insertWebsite(
  { websites, clock }: FakeState,
  { domain, privacy, password, ...settings }: ReturnType<typeof createWebsiteBody.parse>,
): Website {
  // In the order of the fields of the interface.
  const fields = { domain, privacy, has_password: password !== undefined, ...settings };
  return websites.create(fields, clock.now().getTime()).website;
}
