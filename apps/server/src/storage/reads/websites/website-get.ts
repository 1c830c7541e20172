import type { WebsiteStore } from "@siteward/service";
import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import { select } from "../../database/select.ts";
import { combineSelections, optional } from "../../tables/selection.ts";
import { versionedWebsite } from "./versioned-website.ts";

type Reads = Pick<Database, "build" | "readUpToDate">;

/** Reads one website. */
export function prepareWebsiteGet({ build, readUpToDate }: Reads): WebsiteStore["get"] {
  const findById = prepare((value: Placeholder<{ accountId: number; id: number }>) => {
    const website = build.selectFrom("websites").where("account_id", "=", value("accountId"));
    return select(versionedWebsite, website.where("id", "=", value("id")));
  });
  return async (accountId, id) => {
    const query = findById({ accountId, id });
    const [found] = await readUpToDate((reader) => reader.read(query));
    return found;
  };
}

/** The record, or nothing of it if it has the version. */
const unlessUnchanged = combineSelections({ changed: optional(versionedWebsite, "id") });

/** Reads one website unless it has a version, in one query. */
export function prepareWebsiteGetUnless({ build, readUpToDate }: Reads): WebsiteStore["getUnless"] {
  const findById = prepare((value: Placeholder<{ accountId: number; id: number; version: number }>) =>
    select(
      unlessUnchanged,
      build
        .selectFrom("websites as current")
        .leftJoin("websites", (join) =>
          join
            .onRef("websites.account_id", "=", "current.account_id")
            .onRef("websites.id", "=", "current.id")
            .on(sql<boolean>`current.version <> ${value("version")}`),
        )
        .where("current.account_id", "=", value("accountId"))
        .where("current.id", "=", value("id")),
    ),
  );
  return async (accountId, id, version) => {
    const query = findById({ accountId, id, version });
    const [found] = await readUpToDate((reader) => reader.read(query));
    return found && (found.changed ?? "unchanged");
  };
}
