import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** What users download, minified and compressed, which the READMEs state. isbot, which the rules import, counts on its own. */
test.for([
  ["Siteward", "@siteward/sdk", 7_750],
  ["mirrorWebsites", "@siteward/sdk/mirror", 7_250],
  ["runChanges", "@siteward/sdk/bulk", 4_725],
  ["compileRules", "@siteward/rules", 8_000],
] as const)("%s of %s takes few bytes in a bundle for browsers", async ([name, entry, maxBytes]) => {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from "${entry}";`, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    external: ["isbot"],
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).byteLength;
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
});
