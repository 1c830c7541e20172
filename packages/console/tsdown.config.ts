import { fileURLToPath } from "node:url";
import type { UserConfig } from "tsdown";
import { licenseTexts } from "../../scripts/license-texts.ts";

/** From their sources, our packages share what they have of the contract, which each built one contains again. */
const source = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** One folder of files that find each other by their names. What a person opens is loaded when it is opened. */
const config: UserConfig = {
  entry: { main: "src/main.tsx" },
  format: "esm",
  platform: "browser",
  target: "es2022",
  dts: false,
  copy: ["src/index.html", "src/style.css", "src/icon.svg"],
  alias: {
    "@siteward/sdk/bulk": source("sdk/src/bulk/index.ts"),
    "@siteward/sdk/fields": source("sdk/src/fields.ts"),
    "@siteward/sdk/mirror": source("sdk/src/mirror/index.ts"),
    "@siteward/sdk": source("sdk/src/index.ts"),
    "@siteward/rules": source("rules/src/index.ts"),
  },
  treeshake: { propertyReadSideEffects: false },
  // Calls of `h` with children are smaller than objects with `children`.
  inputOptions: {
    transform: {
      jsx: { runtime: "classic", pragma: "h", pragmaFrag: "Fragment" },
      inject: { h: ["preact", "h"], Fragment: ["preact", "Fragment"] },
    },
  },
  // Browsers have no files for a mirror.
  deps: { neverBundle: [/\/file\.ts$/], onlyBundle: ["@siteward/contract", "isbot", "preact", "punycode"] },
  plugins: [licenseTexts()],
  minify: true,
  outputOptions: {
    chunkFileNames: "[name].js",
    comments: false,
  },
};

export default config;
