import { writeFileSync } from "node:fs";
import { renderVersion } from "./render-version.ts";

const write = (path: string, text: string) => writeFileSync(new URL(`../${path}`, import.meta.url), text);

/** Writes the files that are generated from package.json and the schemas. A test checks that they are up to date. */
write("src/version.ts", renderVersion());
// Imported afterwards, because the OpenAPI document contains the version.
const { generatedFiles } = await import("./generated-files.ts");
for (const [path, text] of Object.entries(generatedFiles())) write(path, text);
