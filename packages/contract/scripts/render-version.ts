import { readFileSync } from "node:fs";

/** Renders the version of the package as a module, because the sources read no file and no package.json. */
export function renderVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return `// Generated from package.json by \`pnpm generate\` and \`pnpm version-packages\`; do not edit.

/** The version of this package, and of the interface in the OpenAPI document. */
export const version = ${JSON.stringify(version)};
`;
}
