import { writeFileSync } from "node:fs";
import { renderSiteFileSchema } from "./render-site-file-schema.ts";

/** Writes the files that are generated from the contract. A test checks that they are up to date. */
writeFileSync(new URL("../siteward.schema.json", import.meta.url), renderSiteFileSchema());
