import type { ServedContract } from "@siteward/service";
import {
  decideUpdate,
  readUpdate,
  type UpdateBody,
  type VersionedWebsite,
  validateUpdate,
  websiteNotFound,
  websiteTag,
} from "@siteward/service";
import type { Dependencies } from "../dependencies.ts";
import { disconnectSignalOf } from "../door/http/disconnect-signal.ts";
import { answerWithWebsite } from "./answer-with-website.ts";
import { authorOf } from "./author-of.ts";
import { checkConditions } from "./conditions.ts";
import { principalOf } from "./exchange-parts.ts";
import type { Handler } from "./handler.ts";

interface Validated {
  readonly body: UpdateBody;
  readonly current: VersionedWebsite | undefined;
}

/**
 * Changes the fields that were sent (docs/interface.md, section 4, "Update website"), in this order:
 *
 * 1. Validate the body. If it concerns the password, read the record and judge the password by it, so that one answer names
 *    every bad field. Then check the conditions by the record.
 * 2. Hash the password. This comes after all that can refuse the request, because a hash takes 25 to 60 ms of a core, and
 *    before step 3, which would otherwise often have to start again.
 * 3. Read the record, judge the password and check the conditions by it again, and write what changes, unless another
 *    request has changed the record since. In that case step 3 starts again.
 */
export function updateWebsite({ storage, passwords }: Dependencies): Handler<ServedContract["websites"]["update"]> {
  return async ({ params, body: sent, req, res }) => {
    const { id: keyId, accountId } = principalOf(req);
    const check = (current: VersionedWebsite) => checkConditions(req, websiteTag(accountId, current));
    const { body, current } = await validate(sent, () => storage.websites.get(accountId, params.id));
    if (current !== undefined) check(current);
    const passwordHash =
      body.password === undefined
        ? undefined
        : await passwords.hash(body.password, { keyId, disconnected: disconnectSignalOf(req) });
    const updated = await storage.websites.update(
      accountId,
      params.id,
      (newest) => {
        // It is called again, with a newer record, if another request changed the record.
        const change = decideUpdate(newest.website, body, passwordHash);
        check(newest);
        return change;
      },
      authorOf(req),
    );
    if (updated === undefined) throw websiteNotFound();
    return { status: 200, body: answerWithWebsite({ req, res }, updated) };
  };
}

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
