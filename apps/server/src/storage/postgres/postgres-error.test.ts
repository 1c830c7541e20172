import { AppError } from "@siteward/service";
import { describe, expect, it } from "vitest";
import {
  isPostgresConflict,
  stateAfter,
  translateAutocommitError,
  translateCommitError,
  translatePostgresError,
} from "./postgres-error.ts";

/** What becomes of an error in a statement of a transaction, in a statement of its own, and in a commit. */
type Outcome = "database" | "outcome_unknown" | "database_not_migrated" | "unchanged";
type Outcomes = readonly [inTransaction: Outcome, alone: Outcome, inCommit: Outcome];

const never: Outcomes = ["database", "database", "database"];
const notMigrated: Outcomes = ["database_not_migrated", "database_not_migrated", "database_not_migrated"];
const otherError: Outcomes = ["unchanged", "outcome_unknown", "outcome_unknown"];

/**
 * Citus 13.0.5 sent 08006, the XX000 of a commit, and CIINF while its workers crashed and its shards moved under load, and 42P01 when a table
 * was on the coordinator alone. The others follow from its source.
 */
const errors: readonly (readonly [name: string, code: string, routine: string | undefined, Outcomes])[] = [
  ["a worker cannot be reached", "08006", "ReportConnectionError", never],
  ["a worker was lost with the statement", "XX000", "ReportResultError", never],
  ["a worker shuts down", "57P01", "ReportResultError", never],
  ["a worker failed before the commit was sent", "XX000", "CheckRemoteTransactionsHealth", never],
  ["a worker was lost with the commit", "XX000", "ErrorIfPostCommitFailedShardPlacements", otherError],
  ["a shard moved from under an intermediate result", "CIINF", undefined, never],
  ["a shard moved from under a statement", "42P01", "ReportResultError", never],
  ["a table is on the coordinator alone", "42P01", "parserOpenTable", notMigrated],
  ["a statement or a commit was canceled", "57014", "ProcessInterrupts", ["database", "database", "outcome_unknown"]],
  ["a pooler lost the server", "08006", undefined, ["database", "outcome_unknown", "outcome_unknown"]],
  ["a distributed database that is not Citus has an internal error", "XX000", "aFunctionOfItsOwn", otherError],
];

describe("an error of Citus", () => {
  it.each(errors)("says that nothing was stored only if that is certain: %s", (_, code, routine, outcomes) => {
    const error = serverError(code, routine);
    const translated = [translatePostgresError, translateAutocommitError, translateCommitError].map((translate) =>
      outcomeOf(translate(error), error),
    );
    expect(translated).toEqual(outcomes);
  });

  it("about a worker does not cost the connection to the coordinator", () => {
    expect(stateAfter(serverError("08006", "ReportConnectionError"))).toBe("usable");
    expect(stateAfter(serverError("08006", undefined))).toBe("unusable");
  });

  it("about a shard that moves is a conflict, and a refused row that a worker reports stays one", () => {
    expect(isPostgresConflict(translatePostgresError(serverError("CIINF", undefined)))).toBe(true);
    const duplicate = serverError("23505", "ReportResultError");
    expect(translatePostgresError(duplicate)).toBe(duplicate);
    expect(isPostgresConflict(duplicate)).toBe(true);
    expect(isPostgresConflict(serverError("08006", "ReportConnectionError"))).toBe(false);
  });
});

/** An error as the driver throws it. */
function serverError(code: string, routine: string | undefined): Error {
  return Object.assign(new Error("no"), { severity: "ERROR", code, routine });
}

function outcomeOf(translated: unknown, error: Error): string {
  if (translated === error) return "unchanged";
  return translated instanceof AppError ? translated.reason : String(translated);
}
