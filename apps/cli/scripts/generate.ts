import { writeFileSync } from "node:fs";
import { describeCommands } from "./describe-commands.ts";
import { renderReference } from "./render-reference.ts";
import { renderSiteFileSchema } from "./render-site-file-schema.ts";

/** Writes the files that are generated from the contract and the commands. Tests check that they are up to date. */
writeFileSync(new URL("../siteward.schema.json", import.meta.url), renderSiteFileSchema());
const reference = renderReference(await describeCommands());
writeFileSync(new URL("../../../docs/cli-reference.md", import.meta.url), reference);
