import { fileURLToPath } from "node:url";
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
  // Nothing of node_modules may be in it. What is unused of the contract is removed, also if it reads a constant.
  {
    ...shared,
    entry: ["src/index.ts"],
    deps: { onlyBundle: [] },
    treeshake: { propertyReadSideEffects: false },
  },
  { ...shared, entry: ["src/unicode.ts"], deps: { onlyBundle: [] } },
  {
    ...shared,
    entry: { mirror: "src/mirror/index.ts" },
    deps: { onlyBundle: [] },
    treeshake: { propertyReadSideEffects: false },
  },
  {
    ...shared,
    entry: { testing: "src/testing/index.ts" },
    inputOptions: {
      resolve: {
        alias: { "@ts-rest/core": fileURLToPath(new URL("scripts/contract-builder.ts", import.meta.url)) },
      },
    },
    deps: {
      alwaysBundle: [/^zod/, /^@ts-rest\//],
      onlyBundle: ["zod"],
    },
  },
];

export default config;
