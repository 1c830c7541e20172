import { writeFileSync } from "node:fs";
import { renderSiteFileSchema } from "./render-site-file-schema.ts";

/** Writes the file that is generated from the contract. A test checks that it is up to date. */
writeFileSync(new URL("../siteward.schema.json", import.meta.url), renderSiteFileSchema());
