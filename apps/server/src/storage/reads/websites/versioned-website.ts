import type { VersionedWebsite } from "@siteward/service";
import { sql } from "kysely";
import { combineSelections, type Selection, selectValue } from "../../tables/selection.ts";
import { websiteRecord } from "../../tables/websites.ts";

export const websiteVersion = sql.ref("websites.version").as("version");

/** Selects records with their versions. */
export const versionedWebsite = combineSelections({
  website: websiteRecord.selection,
  version: selectValue(websiteVersion, Number),
}) satisfies Selection<VersionedWebsite>;
