import { findPasswordFault, updateWebsiteBody, type Website } from "@siteward/contract";
import { principalOf } from "../auth/principal.ts";
import type { Dependencies } from "../dependencies.ts";
import { validationFailed, websiteNotFound } from "../errors/app-error.ts";
import { collectFieldErrors } from "../errors/collect-field-errors.ts";
import { disconnectSignalOf } from "../http/disconnect-signal.ts";
import type { VersionedWebsite, WebsiteChange } from "../storage/storage.ts";
import { answerWithWebsite } from "./answer-with-website.ts";
import { authorOf } from "./author-of.ts";
import type { Handler } from "./handler.ts";
import type { ServedContract } from "./served-contract.ts";

type Body = ReturnType<typeof updateWebsiteBody.parse>;
type PasswordFields = Pick<Body, "privacy" | "password">;

/**
 * Changes the fields that were sent (docs/interface.md, section 4, "Update website"), in this order:
 *
 * 1. Validate the body. If it concerns the password, read the record and judge the password by it, so that one answer names
 *    every bad field.
 * 2. Hash the password. This comes after all that can refuse the request, because a hash takes 25 to 60 ms of a core, and
 *    before step 3, which would otherwise often have to start again.
 * 3. Read the record, judge the password by it again, and write what changes, unless another request has changed the record
 *    since. In that case step 3 starts again.
 */
export function updateWebsite({ storage, passwords }: Dependencies): Handler<ServedContract["websites"]["update"]> {
  return async ({ params, body: sent, req, res }) => {
    const { id: keyId, accountId } = principalOf(req);
    const body = await validate(sent, () => storage.websites.get(accountId, params.id));
    const passwordHash =
      body.password === undefined
        ? undefined
        : await passwords.hash(body.password, { keyId, disconnected: disconnectSignalOf(req) });
    const updated = await storage.websites.update(
      accountId,
      params.id,
      ({ website }) => decideChange(website, body, passwordHash),
      authorOf(req),
    );
    if (updated === undefined) throw websiteNotFound();
    return { status: 200, body: answerWithWebsite(res, updated) };
  };
}

async function validate(sent: unknown, readCurrent: () => Promise<VersionedWebsite | undefined>): Promise<Body> {
  const { data: body, error } = updateWebsiteBody.safeParse(sent);
  const passwordFields = body ?? readPasswordFields(sent);
  const fault = concernsPassword(passwordFields) ? findFault(await readCurrent(), passwordFields) : undefined;
  if (body !== undefined && fault === undefined) return body;
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

function findFault(current: VersionedWebsite | undefined, sent: PasswordFields): string | undefined {
  if (current === undefined) throw websiteNotFound();
  return findFaultOn(current.website, sent);
}

/** Returns what is wrong with the password once the change is made to the record. */
function findFaultOn(current: Website, { privacy, password }: PasswordFields): string | undefined {
  return findPasswordFault({
    privacy: privacy ?? current.privacy,
    password,
    hasStoredPassword: current.has_password,
  });
}

/** Decides what is written. It is called again, with a newer record, if another request changed the record. */
function decideChange(current: Website, body: Body, passwordHash: string | undefined): WebsiteChange {
  const fault = findFaultOn(current, body);
  if (fault !== undefined) throw validationFailed({ password: [fault] });
  const { password: _, domain: __, ...sent } = body;
  const change: WebsiteChange = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  if (passwordHash !== undefined) return { ...change, passwordHash };
  const isLeavingPassword = current.has_password && (body.privacy ?? current.privacy) !== 2;
  return isLeavingPassword ? { ...change, passwordHash: null } : change;
}
