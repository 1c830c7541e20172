import type { WebsiteStore } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import { select } from "../../database/select.ts";
import { type Selection, selectValue } from "../../tables/selection.ts";
import { versionedWebsite, websiteVersion } from "./versioned-website.ts";

type Reads = Pick<Database, "build" | "readUpToDate">;

/** Reads one website. */
export function prepareWebsiteGet(reads: Reads): WebsiteStore["get"] {
  return prepareFind(reads, versionedWebsite);
}

/** Reads the version of one website. */
export function prepareWebsiteVersion(reads: Reads): WebsiteStore["getVersion"] {
  return prepareFind(reads, selectValue(websiteVersion, Number));
}

function prepareFind<Found>({ build, readUpToDate }: Reads, selection: Selection<Found>) {
  const findById = prepare((value: Placeholder<{ accountId: number; id: number }>) => {
    const website = build.selectFrom("websites").where("account_id", "=", value("accountId"));
    return select(selection, website.where("id", "=", value("id")));
  });
  return async (accountId: number, id: number): Promise<Found | undefined> => {
    const query = findById({ accountId, id });
    const [found] = await readUpToDate((reader) => reader.read(query));
    return found;
  };
}
