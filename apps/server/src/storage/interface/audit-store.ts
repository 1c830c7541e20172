import type { ChangeAuthor } from "@siteward/service";

/** Reads the audit trail. Each change writes its entry in its own transaction, and nothing changes an entry. */
export interface AuditStore {
  /**
   * Returns the next entries of an account, the newest first.
   *
   * The cost does not depend on the length of the trail: entries are read in the order of an index, at most 1,000 of them in
   * one call. So a page of a filtered trail can have fewer entries than the limit, or none, although there are more.
   */
  list(accountId: number, request: AuditListRequest): Promise<AuditPage>;
}

export interface AuditListRequest {
  /** Only changes of this website, which may be deleted. */
  readonly websiteId?: number | undefined;
  readonly apiKey?: string | undefined;
  readonly since?: number | undefined;
  /** Only entries after this position, which are older. Of a website, it is the position of one of its own entries. */
  readonly after?: AuditPosition | undefined;
  readonly limit: number;
}

interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The position after which the next page begins. Undefined if there are no more entries. */
  readonly next: AuditPosition | undefined;
}

/** The position of an entry in the trail of its account. */
export interface AuditPosition {
  /** The time of the change, in milliseconds since 1970. */
  readonly at: number;
  readonly subject: AuditSubject;
  readonly subject_id: number;
  /** The version of the record after the change. A deletion counts as one more version. */
  readonly version: number;
}

export interface AuditEntry extends AuditPosition {
  readonly action: AuditAction;
  readonly by: ChangeAuthor;
  readonly changes: AuditChanges;
}

/** The fields that changed, each with its values before and after. Of a secret, only what happened to it. */
export type AuditChanges = Readonly<Record<string, FieldChange | ListChange | "set" | "cleared">>;

/** A field that the record does not have before or after the change is null then. */
interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * The change of a list whose other entries kept their order. The list after it is the one before, without the entries that were
 * removed and with those that were added. If others changed their places, the change is a `FieldChange` with both lists.
 */
export interface ListChange {
  readonly added: readonly unknown[];
  readonly removed: readonly unknown[];
  /** The positions of the added entries in the list after the change, from 0. Undefined if they are its last entries. */
  readonly at?: readonly number[];
}

/** What can be done to each subject. */
export type AuditAction =
  | `website.${"created" | "updated" | "deleted"}`
  | `api_key.${"created" | "updated" | "rotated" | "revoked"}`
  | `account.${"created" | "updated"}`;

/** What an entry can be about. */
export type AuditSubject = "website" | "api_key" | "account";
