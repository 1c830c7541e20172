import { fileURLToPath } from "node:url";
import type { UserConfig } from "tsdown";
import { licenseTexts } from "../../scripts/license-texts.ts";

/** From their sources, our packages share what they have of the contract, which each built one contains again. */
const source = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const opened =
  /\/rules\/src\/|\/isbot\/|\/sdk\/src\/bulk\/|\/(dialogs|forms)\/|(add|edit|journal)-screen|\/opened\.ts|\/data\/(add|compare|edits|journal)|\/(run|soon|versions)\.tsx?$/;

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
  // Browsers have no files for a mirror.
  deps: { neverBundle: [/\/file\.ts$/], onlyBundle: ["@siteward/contract", "isbot", "preact", "punycode"] },
  plugins: [licenseTexts()],
  minify: true,
  outputOptions: {
    chunkFileNames: "[name].js",
    comments: false,
    // What is compressed together is smaller: what the list needs, and what a person opens.
    codeSplitting: {
      groups: [
        { name: "main", test: (path) => !opened.test(path), priority: 1 },
        { name: "opened", test: opened },
      ],
    },
  },
};

export default config;
