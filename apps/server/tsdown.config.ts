import { fileURLToPath } from "node:url";
import { defineConfig } from "tsdown";
import { licenseTexts } from "../../scripts/license-texts.ts";

/**
 * The service is one file: Node keeps the source of every loaded module in memory, with comments and unused parts, and
 * these packages have about five hundred modules. One file starts sooner and takes 15 MB less memory.
 */
export default defineConfig({
  entry: {
    main: "src/main.ts",
    "compile-cache": "@siteward/start/compile-cache",
    "run-writer-thread": "src/storage/run-writer-thread.ts",
  },
  format: "esm",
  platform: "node",
  target: "node24",
  dts: false,
  // As it is: an old Node must be able to read it.
  copy: fileURLToPath(import.meta.resolve("@siteward/start/describe-old-node")),
  fixedExtension: false,
  deps: {
    alwaysBundle: [/^@siteward\/(contract|service|start)/, /^@ts-rest\//, "ipaddr.js", /^punycode/, /^zod/],
    onlyBundle: [
      "@siteward/contract",
      "@siteward/service",
      "@siteward/start",
      "@ts-rest/core",
      "@ts-rest/express",
      "ipaddr.js",
      "leven",
      "punycode",
      "zod",
    ],
  },
  plugins: [licenseTexts()],
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  outputOptions: { comments: false },
});
