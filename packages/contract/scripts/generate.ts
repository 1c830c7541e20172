import { writeFileSync } from "node:fs";
import { renderTypes } from "./render-types.ts";

/** Writes the two files that follow from the schemas. A test holds that they are up to date. */
writeFileSync(new URL("../src/types.ts", import.meta.url), renderTypes());
