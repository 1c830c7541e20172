import { describe, expect, it } from "vitest";
import { InstallationError, type InstallationErrorCode } from "../../storage/interface/installation-error.ts";
import { withRemedy } from "./installation-remedy.ts";

/** What the advice must name, or undefined if the message itself says what to do. */
const advice: Readonly<Record<InstallationErrorCode, RegExp | undefined>> = {
  invalid_url: undefined,
  cannot_open: undefined,
  read_only: undefined,
  no_database: /--database-url.*`siteward-server start --bootstrap` or `siteward-server accounts create`/,
  foreign_database: /one that is empty/,
  wrong_encoding: /`createdb --encoding UTF8 .*`pg_dump` and `psql`/,
  newer_version: /newer Siteward/,
  not_coordinator: /siteward-server migrate.*coordinator/,
  tables_in_use: /Wait for its end/,
  not_permitted: /owner of the database.*`siteward-server migrate` as their owner/,
  nothing_to_copy: /--from/,
  source_outdated: /`siteward-server migrate` on the source/,
  source_in_use: /Stop the server.*same command again/,
  source_not_checkable: /tools of its engine/,
  destination_in_use: /--to/,
  copy_failed: /same command again/,
  copy_unknown: /same command again/,
  copy_differs: /same command again/,
  invalid_backup: undefined,
  backup_exists: /\{time\}/,
  backup_failed: /Nothing was changed/,
  restore_failed: /as it was/,
  no_room: /another disk/,
  in_use: /Stop the server.*same command again/,
};

describe("the line of a failed command", () => {
  it.each(Object.entries(advice))("says after %s what to do", (code, expected) => {
    // The keys of the table are the codes.
    const line = withRemedy(new InstallationError(code as InstallationErrorCode, "It failed."));
    if (expected === undefined) expect(line).toBe("It failed.");
    else expect(line).toMatch(new RegExp(`^It failed\\. .*${expected.source}.*\\.$`));
  });
});
