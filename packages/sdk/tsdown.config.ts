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
 * What is used of our own packages becomes part of the files, and of node_modules only what the fake needs. The fake
 * and the fields share no file with the others, which would then contain what only they use of the contract.
 */
const config: UserConfig[] = [
  {
    ...shared,
    entry: {
      index: "src/index.ts",
      mirror: "src/mirror/index.ts",
      bulk: "src/bulk/index.ts",
    },
    deps: { onlyBundle: ["punycode"] },
  },
  {
    ...shared,
    entry: { fields: "src/fields.ts" },
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
