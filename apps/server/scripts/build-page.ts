import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type ErrorCode, errorCodes } from "@siteward/contract";
import { build } from "tsdown";

/**
 * Writes all pages of the server and their files into `dist/page`, each at its path. Those of the pages at `/docs` and
 * `/console` are compressed here, once for all servers, and have the hash of their content in their path. Swagger UI is
 * two of its built files, and no dependency of the server: the package has 12 MB, and its own dependency reports
 * installations.
 */
const apiPage = join(import.meta.dirname, "../page");
const out = join(import.meta.dirname, "../dist/page");
const swagger = dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));

await rm(out, { recursive: true, force: true });
const files = {
  "swagger-ui-bundle.js": await readFile(join(swagger, "swagger-ui-bundle.js")),
  "swagger-ui.css": await readFile(join(swagger, "swagger-ui.css")),
  "page.css": await readAll(apiPage, ["about.css", "swagger-ui-changes.css"]),
  "start.js": await bundle("start.ts"),
};
let html = await readFile(join(apiPage, "index.html"), "utf8");
for (const [name, content] of Object.entries(files)) {
  const compressed = gzipSync(content, { level: 9 });
  const path = `docs/files/${hashOf(compressed)}/${name}`;
  // Relative, so that it is right behind a prefix too.
  html = html.replace(`{{${name}}}`, path);
  await write(`${path}.gz`, compressed);
}
await write("docs.html", html);
await writeConsole();
await write("openapi.json", await readFile(fileURLToPath(import.meta.resolve("@siteward/contract/openapi.json"))));
await writeErrorPages();
await write("THIRD-PARTY-NOTICES.txt", await readNotices());

/** Its files find each other by their names, so they are in one folder, whose name is the hash of all of them. */
async function writeConsole(): Promise<void> {
  const folder = join(dirname(fileURLToPath(import.meta.resolve("@siteward/console/package.json"))), "dist");
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name)).toSorted();
  const files = await Promise.all(
    names.map(async (name) => gzipSync(await readFile(join(folder, name)), { level: 9 })),
  );
  const path = `console/files/${hashOf(Buffer.concat(files))}`;
  for (const [index, content] of files.entries()) await write(`${path}/${names[index]}.gz`, content);
  const page = await readFile(join(folder, "index.html"), "utf8");
  await write("console.html", page.replaceAll("{{files}}", path));
  await write("console/THIRD-PARTY-NOTICES.txt", await readFile(join(folder, "THIRD-PARTY-NOTICES.txt")));
}

function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 16);
}

/** Writes a page for every error code, which the `type` of a problem links to, and one for all of them. */
async function writeErrorPages(): Promise<void> {
  // The cast is safe: the catalogue is closed. Object.keys loses the type of its keys.
  const codes = Object.keys(errorCodes) as ErrorCode[];
  await write("docs/errors.html", renderPage("Siteward errors", codes.map(renderCode).join("")));
  for (const code of codes) {
    await write(`docs/errors/${code}.html`, renderPage(`${code} · Siteward errors`, renderCode(code)));
  }
}

function renderCode(code: ErrorCode): string {
  const { status, title, meaning, remedy } = errorCodes[code];
  return (
    `<section id="${code}"><h2>${title}</h2><p><code>${code}</code>, HTTP status ${status}</p>` +
    `<p>${renderText(meaning)}</p><p>${renderText(remedy)}</p></section>`
  );
}

/** Renders a text of the catalogue, which marks code with backquotes, as Markdown does. */
function renderText(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.replace(/`([^`]*)`/g, "<code>$1</code>");
}

function renderPage(title: string, body: string): string {
  const style = "body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}";
  const head =
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>${title}</title><style>${style}</style>`;
  const main = `${body}<p><a href="/docs/errors">All errors</a></p>`;
  return `<!doctype html><html lang="en"><head>${head}</head><body><main>${main}</main></body></html>`;
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(out, path)), { recursive: true });
  await writeFile(join(out, path), content);
}

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
