import type { Contract } from "@siteward/contract";
import { checkConditions } from "../conditions.ts";
import { websiteNotFound } from "../refusals.ts";
import type { VersionedWebsite, WebsiteChange } from "../storage.ts";
import { decideUpdate } from "../website-change.ts";
import { websiteTag } from "./answer-read.ts";
import type { Operation } from "./operation.ts";

/**
 * Changes the fields that were sent (docs/interface.md, section 4, "Update website"), in this order:
 *
 * 1. If there is a password, read the record, judge the password and check the conditions by it. Then hash the password. This
 *    comes after all that can refuse the request, because a hash takes 20 to 50 ms of a core, and before step 2, which would
 *    otherwise often have to start again.
 * 2. Read the record, judge the password and check the conditions by it, and write what changes, unless another request has
 *    changed the record since. In that case step 2 starts again.
 */
export const updateWebsite: Operation<Contract["websites"]["update"]> = async (call, { storage, passwords }) => {
  const { principal, params, body } = call;
  const { accountId } = principal;
  const decide = (current: VersionedWebsite | undefined, passwordHash?: string): WebsiteChange => {
    if (current === undefined) throw websiteNotFound();
    const change = decideUpdate(current.website, body, passwordHash);
    checkConditions(call.conditions, websiteTag(accountId, current));
    return change;
  };
  const hash = async (password: string): Promise<string> => {
    decide(await storage.websites.get(accountId, params.id));
    return passwords.hash(password, call);
  };
  const passwordHash = body.password === undefined ? undefined : await hash(body.password);
  const updated = await storage.websites.update(
    accountId,
    params.id,
    (current) => decide(current, passwordHash),
    call.author,
  );
  if (updated === undefined) throw websiteNotFound();
  return { status: 200, headers: { ETag: websiteTag(accountId, updated) }, body: { data: updated.website } };
};
