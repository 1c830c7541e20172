import { findPasswordFault, updateWebsiteBody, type Website } from "@siteward/contract";
import { principalOf } from "../auth/principal.ts";
import type { Dependencies } from "../dependencies.ts";
import { validationFailed, websiteNotFound } from "../errors/app-error.ts";
import { collectFieldErrors } from "../errors/collect-field-errors.ts";
import { disconnectSignalOf } from "../http/disconnect-signal.ts";
import type { VersionedWebsite, WebsiteChange } from "../storage/storage.ts";
import { answerWithWebsite } from "./answer-with-website.ts";
import { authorOf } from "./author-of.ts";
import { checkConditions } from "./conditions.ts";
import type { Handler } from "./handler.ts";
import type { ServedContract } from "./served-contract.ts";
import { websiteTag } from "./website-tag.ts";

type Body = ReturnType<typeof updateWebsiteBody.parse>;
type PasswordFields = Pick<Body, "privacy" | "password">;

interface Validated {
  readonly body: Body;
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
        const change = decideChange(newest.website, body, passwordHash);
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
  const { data: body, error } = updateWebsiteBody.safeParse(sent);
  const passwordFields = body ?? readPasswordFields(sent);
  const current = concernsPassword(passwordFields) ? requireFound(await readCurrent()) : undefined;
  const fault = current === undefined ? undefined : findFault(current.website, passwordFields);
  if (body !== undefined && fault === undefined) return { body, current };
  const errors = collectFieldErrors(error?.issues ?? []);
  throw validationFailed(fault === undefined ? errors : { ...errors, password: [fault] });
}

const passwordFieldsSchema = updateWebsiteBody.pick({ privacy: true, password: true }).strip();

/** Reads the two fields of a body that is refused for others. Returns neither if one of them is refused itself. */
function readPasswordFields(sent: unknown): PasswordFields {
  return passwordFieldsSchema.safeParse(sent).data ?? {};
}

/** Whether the rule of privacy and password can refuse the change. It saves most changes a read of the record. */
function concernsPassword({ privacy, password }: PasswordFields): boolean {
  return password !== undefined || privacy === 2;
}

function requireFound(current: VersionedWebsite | undefined): VersionedWebsite {
  if (current === undefined) throw websiteNotFound();
  return current;
}

/** Returns what is wrong with the password once the change is made to the record. */
function findFault(current: Website, { privacy, password }: PasswordFields): string | undefined {
  return findPasswordFault({
    privacy: privacy ?? current.privacy,
    password,
    hasStoredPassword: current.has_password,
  });
}

/** Decides what is written. It is called again, with a newer record, if another request changed the record. */
function decideChange(current: Website, body: Body, passwordHash: string | undefined): WebsiteChange {
  const fault = findFault(current, body);
  if (fault !== undefined) throw validationFailed({ password: [fault] });
  const { password: _, domain: __, ...sent } = body;
  const change: WebsiteChange = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  if (passwordHash !== undefined) return { ...change, passwordHash };
  const isLeavingPassword = current.has_password && (body.privacy ?? current.privacy) !== 2;
  return isLeavingPassword ? { ...change, passwordHash: null } : change;
}
