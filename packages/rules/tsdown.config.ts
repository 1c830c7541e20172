import type { UserConfig } from "tsdown";

/** What is used of the contract becomes part of the bundle. isbot stays a dependency, so that users get its new patterns. */
const config: UserConfig = {
  entry: ["src/index.ts"],
  format: ["esm", "cjs"],
  platform: "neutral",
  target: "es2022",
  fixedExtension: true,
  dts: { oxc: { stripInternal: true } },
  deps: { onlyBundle: [] },
  treeshake: { propertyReadSideEffects: false },
};

export default config;
