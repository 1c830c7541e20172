import { findPasswordFault, updateWebsiteBody, type Website } from "@siteward/contract";
import { collectFieldErrors } from "../errors/collect-field-errors.ts";
import { validationFailed } from "../errors/refusals.ts";
import type { WebsiteChange } from "./website-change.ts";

/** The validated body of an update. */
export type UpdateBody = ReturnType<typeof updateWebsiteBody.parse>;
type PasswordFields = Pick<UpdateBody, "privacy" | "password">;

/** The body of an update as far as it can be judged without the record. */
interface SentUpdate {
  /** Undefined if the body is not valid. */
  readonly body: UpdateBody | undefined;
  /** What is wrong with the fields, whatever the record is. */
  readonly errors: Readonly<Record<string, string[]>>;
  readonly passwordFields: PasswordFields;
  /** Whether the rule of privacy and password can refuse the change. It saves most changes a read of the record. */
  readonly concernsPassword: boolean;
}

/** Reads the body of an update. */
export function readUpdate(sent: unknown): SentUpdate {
  const { data: body, error } = updateWebsiteBody.safeParse(sent);
  const passwordFields = body ?? readPasswordFields(sent);
  return {
    body,
    errors: collectFieldErrors(error?.issues ?? []),
    passwordFields,
    concernsPassword: passwordFields.password !== undefined || passwordFields.privacy === 2,
  };
}

const passwordFieldsSchema = updateWebsiteBody.pick({ privacy: true, password: true }).strip();

/** Reads the two fields of a body that is refused for others. Returns neither if one of them is refused itself. */
function readPasswordFields(sent: unknown): PasswordFields {
  return passwordFieldsSchema.safeParse(sent).data ?? {};
}

/**
 * Validates an update, so that one answer names every bad field.
 *
 * @param current the record, or undefined if the update does not concern its password
 * @throws AppError `validation_failed`
 */
export function validateUpdate({ body, errors, passwordFields }: SentUpdate, current: Website | undefined): UpdateBody {
  const fault = current === undefined ? undefined : findFault(current, passwordFields);
  if (body !== undefined && fault === undefined) return body;
  throw validationFailed(fault === undefined ? errors : { ...errors, password: [fault] });
}

/** Returns what is wrong with the password once the change is made to the record. */
function findFault(current: Website, { privacy, password }: PasswordFields): string | undefined {
  return findPasswordFault({
    privacy: privacy ?? current.privacy,
    password,
    hasStoredPassword: current.has_password,
  });
}

/**
 * Decides what an update changes in a record.
 *
 * @param passwordHash the hash of the password in the body
 * @throws AppError `validation_failed` if its password does not suit the record
 */
export function decideUpdate(current: Website, body: UpdateBody, passwordHash: string | undefined): WebsiteChange {
  const fault = findFault(current, body);
  if (fault !== undefined) throw validationFailed({ password: [fault] });
  const { password: _, domain: __, ...sent } = body;
  const change: WebsiteChange = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  if (passwordHash !== undefined) return { ...change, passwordHash };
  const isLeavingPassword = current.has_password && (body.privacy ?? current.privacy) !== 2;
  return isLeavingPassword ? { ...change, passwordHash: null } : change;
}
