import type { IncomingMessage } from "node:http";
import { contract, findPasswordFault, updateWebsiteBody, type Website } from "@siteward/contract";
import { principalOf } from "../auth/principal.ts";
import type { Dependencies } from "../dependencies.ts";
import { validationFailed, websiteNotFound } from "../errors/app-error.ts";
import { collectFieldErrors } from "../errors/collect-field-errors.ts";

type UpdateRequest = IncomingMessage & { readonly params: unknown; readonly body: unknown };

const passwordFields = updateWebsiteBody.pick({ privacy: true, password: true }).strip();

/**
 * Refuses a change whose password does not fit the stored record, which the schema does not see. It runs before the
 * schema so that every bad field is named at once, and before the password is hashed, which costs tens of milliseconds.
 */
export function refuseFaultyPassword({ storage }: Pick<Dependencies, "storage">) {
  return async (request: UpdateRequest, _response: unknown, next: () => void): Promise<void> => {
    const sent = passwordFields.safeParse(request.body);
    const path = contract.websites.update.pathParams.safeParse(request.params);
    const concernsPassword = sent.success && (sent.data.password !== undefined || sent.data.privacy === 2);
    if (concernsPassword && path.success) {
      const current = await storage.websites.get(principalOf(request).accountId, path.data.id);
      if (current === undefined) throw websiteNotFound();
      refuseFault(current.website, sent.data, request.body);
    }
    next();
  };
}

function refuseFault(current: Website, sent: SentPassword, body: unknown): void {
  const fault = passwordFaultOn(current, sent);
  if (fault === undefined) return;
  const others = collectFieldErrors(updateWebsiteBody.safeParse(body).error?.issues ?? []);
  throw validationFailed({ ...others, password: [fault] });
}

/** What a change sends of the two fields that have to fit each other. */
interface SentPassword {
  readonly privacy?: 0 | 1 | 2 | undefined;
  readonly password?: string | undefined;
}

/** What is wrong with the password once the change is made to the record, or undefined. */
export function passwordFaultOn(current: Website, { privacy, password }: SentPassword): string | undefined {
  return findPasswordFault({
    privacy: privacy ?? current.privacy,
    password,
    hasStoredPassword: current.has_password,
  });
}
