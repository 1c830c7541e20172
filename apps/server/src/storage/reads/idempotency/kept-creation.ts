import type { Created, IdempotentRequest, NewWebsite } from "@siteward/service";
import type { Database, ReadConnection } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import { readChanges } from "../../tables/audit-changes.ts";
import type { Schema } from "../../tables/schema.ts";
import { websiteRecord } from "../../tables/websites.ts";
import { type KeptOutcomeRow, readSuccess } from "./outcome.ts";

/**
 * A creation as it is kept for its idempotency key. It names the entry in the audit trail, which has the record as it was created,
 * whatever happened to it since.
 */
interface KeptCreation {
  readonly created: {
    readonly id: number;
    /** In milliseconds since 1970. */
    readonly at: number;
  };
}

/** The settings of a website and `has_password`, by their names. */
type Fields = Readonly<Record<string, unknown>>;

type EntryPlace = Pick<Schema["audit_entries"], "account_id" | "subject" | "subject_id" | "version" | "at">;

/**
 * Returns a function that returns the record that the first request with an idempotency key created. It is undefined if the
 * outcome was deleted with its entry since it was read.
 */
export function prepareReplayCreation({ build }: Pick<Database, "build">) {
  const find = prepare((value: Placeholder<EntryPlace>) =>
    build
      .selectFrom("audit_entries")
      .select("changes")
      .where("account_id", "=", value("account_id"))
      .where("at", "=", value("at"))
      .where("subject", "=", value("subject"))
      .where("subject_id", "=", value("subject_id"))
      .where("version", "=", value("version")),
  );
  return async (
    { read }: Pick<ReadConnection, "read">,
    kept: KeptOutcomeRow,
    request: IdempotentRequest,
  ): Promise<Created | undefined> => {
    const { id, at } = readSuccess<KeptCreation>(kept, request).created;
    const assigned = { account_id: kept.account_id, version: 1 };
    const [entry] = await read(find({ ...assigned, subject: "website", subject_id: id, at }));
    return entry && toCreated({ ...assigned, id, created_at: at }, readCreated(entry.changes));
  };
}

/** Returns the fields of a record by the entry of its creation. */
function readCreated(described: string): Fields {
  const { password, ...fields } = readChanges(described);
  const values = Object.entries(fields).map(([name, change]) => [
    name,
    typeof change === "object" && "to" in change ? change.to : change,
  ]);
  return { ...Object.fromEntries(values), has_password: password === "set" };
}

type AssignedRow = Pick<Schema["websites"], "account_id" | "id" | "version" | "created_at">;

function toCreated(assigned: AssignedRow, { has_password: hasPassword, ...fields }: Fields) {
  // The cast is safe: the fields are those that the creation stored.
  const { passwordHash, ...settings } = { ...fields, passwordHash: hasPassword ? "set" : null } as NewWebsite;
  const row = {
    ...websiteRecord.toStored({ ...settings, password_hash: passwordHash }),
    ...assigned,
    updated_at: assigned.created_at,
    unicode_domain: null,
  };
  return { website: websiteRecord.fromRow(row), version: assigned.version, isReplay: true };
}
