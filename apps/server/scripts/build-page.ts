import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "tsdown";

/**
 * Writes the files of the page at `/docs` into `dist/page`. Swagger UI is two of its built files, and no dependency of the
 * server: the package has 12 MB, and its own dependency reports installations. They are compressed here, once for all servers.
 */
const apiPage = join(import.meta.dirname, "../page");
const out = join(import.meta.dirname, "../dist/page");
const swagger = dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));

await mkdir(out, { recursive: true });
const compressed = {
  "swagger-ui-bundle.js": await readFile(join(swagger, "swagger-ui-bundle.js")),
  "swagger-ui.css": await readFile(join(swagger, "swagger-ui.css")),
  "page.css": await readAll(apiPage, ["about.css", "swagger-ui-changes.css"]),
  "start.js": await bundle("start.ts"),
};
for (const [name, content] of Object.entries(compressed)) {
  await writeFile(join(out, `${name}.gz`), gzipSync(content, { level: 9 }));
}
await writeFile(join(out, "index.html"), await readFile(join(apiPage, "index.html")));
await writeFile(join(out, "THIRD-PARTY-NOTICES.txt"), await readNotices());

/** Bundles a script of the page into one file, so that its name can contain what is in it. */
async function bundle(entry: string): Promise<string> {
  const bundles = await build({
    config: false,
    entry: join(apiPage, entry),
    format: "esm",
    platform: "browser",
    target: "es2022",
    dts: false,
    // It would empty the folder of the built server.
    clean: false,
    write: false,
    logLevel: "silent",
  });
  const chunks = bundles.flatMap((built) => built.chunks).filter((chunk) => chunk.type === "chunk");
  if (chunks.length !== 1) throw new Error(`${entry} must become one file, not ${chunks.length}.`);
  return chunks.map(({ code }) => code).join();
}

/** Apache-2.0 asks that its text and the notice come along; the other licences are those of what is in the bundle. */
function readNotices(): Promise<string> {
  return readAll(swagger, ["NOTICE", "LICENSE", "swagger-ui-bundle.js.LICENSE.txt"]);
}

async function readAll(folder: string, names: readonly string[]): Promise<string> {
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.join("\n\n");
}
