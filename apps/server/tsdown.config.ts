import { defineConfig } from "tsdown";

/**
 * The service is one file: Node holds the text of every module that it loads, comments and unused parts included, and
 * these four packages come in some five hundred. It starts sooner and takes 15 MB less memory so.
 */
export default defineConfig({
  entry: ["src/main.ts", "src/compile-cache.ts"],
  format: "esm",
  platform: "node",
  target: "node24",
  dts: false,
  fixedExtension: false,
  deps: {
    alwaysBundle: [/^@siteward\/contract/, /^@ts-rest\//, "ipaddr.js", "kysely", /^zod/],
    onlyBundle: ["@siteward/contract", "@ts-rest/core", "@ts-rest/express", "ipaddr.js", "kysely", "zod"],
  },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  outputOptions: { comments: false },
});
