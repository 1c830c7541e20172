import { writeFileSync } from "node:fs";
import { generatedFiles } from "./generated-files.ts";

/** Writes the files that follow from the schemas. A test holds that they are up to date. */
for (const [path, text] of Object.entries(generatedFiles())) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
