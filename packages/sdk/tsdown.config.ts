import type { UserConfig } from "tsdown";

const config: UserConfig = {
  entry: ["src/index.ts", "src/unicode.ts"],
  format: ["esm", "cjs"],
  platform: "neutral",
  target: "es2022",
  fixedExtension: true,
  dts: { oxc: { stripInternal: true } },
  // What is used of the contract becomes part of the bundle, since it is a workspace package; nothing of node_modules
  // may.
  deps: { onlyBundle: [] },
};

export default config;
