import { fileURLToPath } from "node:url";
import { defineConfig } from "tsdown";
import { licenseTexts } from "../../scripts/license-texts.ts";

export default defineConfig({
  entry: { main: "src/main.ts", "compile-cache": "@siteward/start/compile-cache" },
  format: "esm",
  platform: "node",
  target: "node24",
  dts: false,
  // As it is: an old Node must be able to read it.
  copy: fileURLToPath(import.meta.resolve("@siteward/start/describe-old-node")),
  fixedExtension: false,
  deps: { alwaysBundle: [/^@siteward\/start/], onlyBundle: ["@siteward/start"] },
  plugins: [licenseTexts()],
});
