import { fileURLToPath } from "node:url";
import { defineConfig } from "tsdown";
import { licenseTexts } from "../../scripts/license-texts.ts";
import { helpPages } from "./scripts/help-pages.ts";
import { requestChunk } from "./scripts/request-chunk.ts";

/**
 * The CLI comes up in a few files, since each file that Node loads costs about 1 ms. They are CommonJS: an ES module
 * that imports `node:http` reads all of its exports, which loads Node's WebSocket and with it all of `fetch` (50 ms).
 *
 * One of them is what runs before a command is known, one is what prints help, one is what a request needs, and the
 * others follow from which command imports what. A library becomes part of what imports it, so import a large one with
 * `import()`, in the function that uses it. All of them are bundled: CommonJS cannot require an ES module in every Node
 * that the CLI runs on.
 */
export default defineConfig({
  entry: {
    bin: "src/bin.ts",
    "compile-cache": "@siteward/start/compile-cache",
    "keyring-process": "src/client/keyring-process.ts",
  },
  format: "cjs",
  platform: "node",
  target: "node22.21",
  dts: false,
  // As it is: an old Node must be able to read it.
  copy: fileURLToPath(import.meta.resolve("@siteward/start/describe-old-node")),
  deps: {
    alwaysBundle: [/^[^.]/],
    // It has a native part for each platform.
    neverBundle: ["@napi-rs/keyring"],
    // The build fails if it would bundle another package.
    onlyBundle: [
      "@clack/core",
      "@clack/prompts",
      "commander",
      "csv-parse",
      "fast-string-truncated-width",
      "fast-string-width",
      "fast-wrap-ansi",
      "isbot",
      "js-yaml",
      "leven",
      "punycode",
      "sisteransi",
    ],
  },
  // With inlined constants, rolldown 1.1 panics over one of a module that is also imported as a whole.
  inputOptions: { optimization: { inlineConst: false } },
  plugins: [
    helpPages(),
    licenseTexts(),
    {
      name: "commander-without-child-processes",
      // Commander loads it for subcommands that are programs of their own. There are none.
      resolveId: (id, importer) =>
        id === "node:child_process" && importer?.includes("commander") ? "\0no-child-processes" : undefined,
      load: (id) => (id === "\0no-child-processes" ? "export default {};" : undefined),
    },
  ],
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  outputOptions: {
    comments: false,
    codeSplitting: {
      groups: [
        { name: "start", test: /[\\/]src[\\/]process[\\/]/, priority: 2 },
        { name: requestChunk, priority: 1 },
        { name: "shared", minShareCount: 4 },
      ],
    },
  },
  // The first recommends ES modules. The second reports what is loaded lazily by one module and at once by another.
  checks: { legacyCjs: false, ineffectiveDynamicImport: false },
});
