import { openApiDocument } from "../src/openapi.ts";
import { renderTypes } from "./render-types.ts";
import { renderVersion } from "./render-version.ts";

/** Returns the files that are generated from package.json and the schemas, by their path in the package. */
export function generatedFiles(): Record<string, string> {
  return {
    "src/version.ts": renderVersion(),
    "src/types.ts": renderTypes(),
    "openapi.json": `${JSON.stringify(openApiDocument, null, 2)}\n`,
  };
}
