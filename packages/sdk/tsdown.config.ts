import type { UserConfig } from "tsdown";
import { licenseTexts } from "../../scripts/license-texts.ts";

const shared: UserConfig = {
  format: ["esm"],
  platform: "neutral",
  target: "es2022",
  dts: { oxc: { stripInternal: true } },
  // What is unused of the contract is removed, also if it reads a constant.
  treeshake: { propertyReadSideEffects: false },
};

/**
 * What is used of our own packages becomes part of the files, and nothing of node_modules but what the fake of the service needs. The
 * fake shares no file with the others, which would then contain what only it uses of the contract.
 */
const config: UserConfig[] = [
  {
    ...shared,
    entry: {
      index: "src/index.ts",
      unicode: "src/unicode.ts",
      mirror: "src/mirror/index.ts",
      bulk: "src/bulk/index.ts",
    },
    deps: { onlyBundle: ["punycode"] },
  },
  {
    ...shared,
    entry: { testing: "src/testing/index.ts" },
    deps: { alwaysBundle: [/^zod/, /^@ts-rest\//], onlyBundle: ["@ts-rest/core", "punycode", "zod"] },
    // Of both: it contains all that the others contain.
    plugins: [licenseTexts()],
  },
];

export default config;
