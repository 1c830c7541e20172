import { fileURLToPath } from "node:url";
import type { UserConfig } from "tsdown";
import { licenseTexts } from "../../scripts/license-texts.ts";

/** From their sources, our packages share what they have of the contract, which each built one contains again. */
const source = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const opened =
  /\/sdk\/src\/bulk\/|\/(dialogs|forms)\/|(add|edit|journal)-screen|\/data\/(add|compare|edits|journal)|\/(run|soon|versions)\.tsx?$/;
const rules = /\/rules\/src\/|\/isbot\//;

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
  deps: { onlyBundle: ["@siteward/contract", "isbot", "preact", "punycode"] },
  plugins: [licenseTexts()],
  minify: true,
  outputOptions: {
    chunkFileNames: "[name].js",
    comments: false,
    // What is compressed together is smaller: what the list needs, what a person opens, and the rules of visits.
    codeSplitting: {
      groups: [
        { name: "main", test: (path) => !opened.test(path) && !rules.test(path), priority: 1 },
        { name: "opened", test: opened },
      ],
    },
  },
};

export default config;
