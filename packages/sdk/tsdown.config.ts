import type { UserConfig } from "tsdown";

const shared: UserConfig = {
  format: ["esm", "cjs"],
  platform: "neutral",
  target: "es2022",
  fixedExtension: true,
  dts: { oxc: { stripInternal: true } },
};

/**
 * What is used of our own packages becomes part of the bundles. The entries share no file, so that the main one stays
 * small whatever the others need.
 */
const config: UserConfig[] = [
  // Nothing of node_modules may be in it.
  { ...shared, entry: ["src/index.ts"], deps: { onlyBundle: [] } },
  { ...shared, entry: ["src/unicode.ts"], deps: { onlyBundle: [] } },
  {
    ...shared,
    entry: { testing: "src/testing/index.ts" },
    // ipaddr.js names its file only in "main", which the neutral platform does not read.
    inputOptions: { resolve: { mainFields: ["module", "main"] } },
    deps: {
      alwaysBundle: [/^zod/, /^@ts-rest\//, "ipaddr.js"],
      onlyBundle: ["@ts-rest/core", "ipaddr.js", "zod"],
    },
  },
];

export default config;
