import type { UserConfig } from "tsdown";
import { licenseTexts } from "../../scripts/license-texts.ts";

/** What is used of the contract becomes part of the bundle. isbot stays a dependency, so that users get its new patterns. */
const config: UserConfig = {
  entry: ["src/index.ts"],
  format: ["esm"],
  platform: "neutral",
  target: "es2022",
  dts: { oxc: { stripInternal: true } },
  deps: { onlyBundle: ["punycode"] },
  plugins: [licenseTexts()],
  treeshake: { propertyReadSideEffects: false },
};

export default config;
