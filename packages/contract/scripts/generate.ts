import { writeFileSync } from "node:fs";
import { generatedFiles } from "./generated-files.ts";

/** Writes the files that are generated from the schemas. A test checks that they are up to date. */
for (const [path, text] of Object.entries(generatedFiles())) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
