import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** What users download, minified and compressed, which the READMEs state. isbot, which the rules import, counts on its own. */
test.for([
  ["Siteward", "@siteward/sdk", 8_100],
  ["mirrorWebsites", "@siteward/sdk/mirror", 7_250],
  ["runChanges", "@siteward/sdk/bulk", 4_740],
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

test.for([
  ["before its first row", 34_000, /(?:from|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g],
  ["in all", 50_000, /["'`]\.\/([\w-]+\.js)["'`]/g],
] as const)("a browser loads few bytes of script and style of the console %s", ([, maxBytes, references]) => {
  const names = new Set(["style.css", "main.js"]);
  let bytes = 0;
  // The loop also reaches what is added meanwhile.
  for (const name of names) {
    const content = readFileSync(new URL(`../../console/dist/${name}`, import.meta.url), "utf8");
    for (const [, imported = ""] of content.matchAll(references)) names.add(imported);
    bytes += gzipSync(content, { level: 9 }).byteLength;
  }
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
});
