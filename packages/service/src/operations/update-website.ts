import { checkConditions } from "../conditions/check-conditions.ts";
import { websiteNotFound } from "../errors/refusals.ts";
import { decideUpdate, readUpdate, type UpdateBody, validateUpdate } from "../records/decide-update.ts";
import type { VersionedWebsite } from "../records/website-change.ts";
import { websiteTag } from "../records/website-tag.ts";
import type { ServedContract } from "../request/served-contract.ts";
import type { Operation } from "./operation.ts";

interface Validated {
  readonly body: UpdateBody;
  readonly current: VersionedWebsite | undefined;
}

/**
 * Changes the fields that were sent (docs/interface.md, section 4, "Update website"), in this order:
 *
 * 1. Validate the body. If it concerns the password, read the record and judge the password by it, so that one answer names
 *    every bad field. Then check the conditions by the record.
 * 2. Hash the password. This comes after all that can refuse the request, because a hash takes 20 to 50 ms of a core, and
 *    before step 3, which would otherwise often have to start again.
 * 3. Read the record, judge the password and check the conditions by it again, and write what changes, unless another
 *    request has changed the record since. In that case step 3 starts again.
 */
export const updateWebsite: Operation<ServedContract["websites"]["update"]> = async (call, { storage, passwords }) => {
  const { accountId, id: keyId } = call.principal;
  const check = (current: VersionedWebsite) => checkConditions(call.conditions, websiteTag(accountId, current));
  const { body, current } = await validate(call.body, () => storage.websites.get(accountId, call.params.id));
  if (current !== undefined) check(current);
  const passwordHash =
    body.password === undefined
      ? undefined
      : await passwords.hash(body.password, { keyId, disconnected: call.disconnected() });
  const updated = await storage.websites.update(
    accountId,
    call.params.id,
    (newest) => {
      // It is called again, with a newer record, if another request changed the record.
      const change = decideUpdate(newest.website, body, passwordHash);
      check(newest);
      return change;
    },
    call.author,
  );
  if (updated === undefined) throw websiteNotFound();
  return { status: 200, headers: { ETag: websiteTag(accountId, updated) }, body: { data: updated.website } };
};

/** @returns the body, and the record if it concerns the password */
async function validate(sent: unknown, readCurrent: () => Promise<VersionedWebsite | undefined>): Promise<Validated> {
  const update = readUpdate(sent);
  const current = update.concernsPassword ? requireFound(await readCurrent()) : undefined;
  return { body: validateUpdate(update, current?.website), current };
}

function requireFound(current: VersionedWebsite | undefined): VersionedWebsite {
  if (current === undefined) throw websiteNotFound();
  return current;
}
