/** What storage could not do, as far as the rest of the server acts on it. */
export type StorageFailure =
  /** The database cannot answer or keep a change now: it is locked, full or failing. Nothing of the change was kept. */
  | { readonly reason: "unavailable" }
  /** The database failed while it committed the change, or was lost meanwhile. Nobody knows whether the change was kept. */
  | { readonly reason: "outcome-unknown" }
  /** Another website of the account has the domain. */
  | { readonly reason: "domain-taken"; readonly domain: string; readonly websiteId: number }
  /** The account has as many websites as its limit allows. */
  | { readonly reason: "website-limit-reached"; readonly limit: number };

/** A failure that callers of storage expect. Any other value that storage throws is a mistake in this program. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly failure: StorageFailure;

  /** @param cause what the database or its driver said, if it said anything */
  constructor(failure: StorageFailure, cause?: unknown) {
    super(describe(failure), { cause });
    this.failure = failure;
  }
}

/** Reports that the database cannot answer or keep a change now. */
export function storageUnavailable(cause: unknown): StorageError {
  return new StorageError({ reason: "unavailable" }, cause);
}

/** Reports that nobody knows whether a change was kept. */
export function storageOutcomeUnknown(cause: unknown): StorageError {
  return new StorageError({ reason: "outcome-unknown" }, cause);
}

/** Whether a change that failed may have been kept. It must not run again without the client knowing. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof StorageError && error.failure.reason === "outcome-unknown";
}

function describe(failure: StorageFailure): string {
  switch (failure.reason) {
    case "unavailable":
      return "The database cannot do this right now.";
    case "outcome-unknown":
      return "The database failed while it committed a change, which may have been kept.";
    case "domain-taken":
      return `Website ${failure.websiteId} of the account already has the domain "${failure.domain}".`;
    case "website-limit-reached":
      return `The account has reached its limit of ${failure.limit} websites.`;
  }
}
