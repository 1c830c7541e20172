import { type CreateWebsite, createWebsiteBody, type Website } from "@siteward/contract";
import { listFields } from "@siteward/contract/website-fields";
import { AppError, collectFieldErrors, validationFailed } from "@siteward/protocol";
import { insertWebsite } from "../operations/insert-website.ts";
import type { FakeState } from "../state/fake-state.ts";
import { setUpError } from "../state/set-up-error.ts";

/**
 * Creates a website by the same rules as a request.
 *
 * @param caller the function that the test called, and how it names the website
 * @throws TypeError if the service would refuse it
 */
export function seedWebsite(
  state: FakeState,
  website: CreateWebsite,
  caller: { functionName: string; name: string },
): Website {
  const fields: Record<string, unknown> = { ...website };
  // As the client does.
  for (const field of listFields) if (fields[field] === null) fields[field] = [];
  try {
    const { data, error } = createWebsiteBody.safeParse(fields);
    if (data === undefined) throw validationFailed(collectFieldErrors(error.issues));
    return insertWebsite(state, data);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw setUpError(caller.functionName, `the service would refuse ${caller.name}. ${error.message}`);
  }
}
