import type { WebsiteStore } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import { select } from "../../database/select.ts";
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
