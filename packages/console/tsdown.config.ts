import type { UserConfig } from "tsdown";
import { licenseTexts } from "../../scripts/license-texts.ts";

/** One folder of files that find each other by their names. What a person opens is loaded when it is opened. */
const config: UserConfig = {
  entry: { main: "src/main.tsx" },
  format: "esm",
  platform: "browser",
  target: "es2022",
  dts: false,
  copy: ["src/index.html", "src/style.css", "src/icon.svg"],
  deps: { onlyBundle: ["@siteward/rules", "@siteward/sdk", "isbot", "preact"] },
  plugins: [licenseTexts()],
  minify: true,
  outputOptions: { chunkFileNames: "[name].js", comments: false },
};

export default config;
