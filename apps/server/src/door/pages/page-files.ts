import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** The files of the page at `/docs`, as `scripts/build-page.ts` writes them, and their media types. */
const mediaTypes = {
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "start.js": "text/javascript; charset=utf-8",
  "swagger-ui.css": "text/css; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
} as const;

/** A file of the page. All responses share its bytes. */
interface PageFile {
  readonly type: string;
  /** It is weak, because it is that of the compressed bytes too. */
  readonly entityTag: string;
  readonly gzip: Uint8Array | undefined;
  /** Returns the bytes as they are without compression. */
  readonly read: () => Promise<Uint8Array>;
}

interface PageFiles {
  readonly html: PageFile;
  /** By their path below `/docs/files`. It contains the hash of the content, so a file at a path never changes. */
  readonly byPath: ReadonlyMap<string, PageFile>;
}

/**
 * Returns the files of the page. They are read when the page is first requested, and then take 0.5 MB of memory; without
 * compression, for clients that do not accept it, another 2 MB.
 */
export const loadPageFiles: () => Promise<PageFiles> = once(readPageFiles);

async function readPageFiles(): Promise<PageFiles> {
  const folder = join(dirname(createRequire(import.meta.url).resolve("@siteward/server/package.json")), "dist/page");
  const byPath = new Map<string, PageFile>();
  let html = await readFile(join(folder, "index.html"), "utf8");
  for (const [name, type] of Object.entries(mediaTypes)) {
    const gzip = await readFile(join(folder, `${name}.gz`));
    const path = `${hash(gzip)}/${name}`;
    byPath.set(path, { type, gzip, entityTag: toTag(gzip), read: once(() => promisify(gunzip)(gzip)) });
    // Relative, so that it is right behind a prefix too.
    html = html.replace(`{{${name}}}`, `docs/files/${path}`);
  }
  const bytes = Buffer.from(html);
  const page = {
    type: "text/html; charset=utf-8",
    gzip: undefined,
    entityTag: toTag(bytes),
    read: () => Promise.resolve(bytes),
  };
  return { html: page, byPath };
}

function toTag(bytes: Uint8Array): string {
  return `W/"${hash(bytes)}"`;
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
}

/** Calls a function once for all callers, again if it failed. */
function once<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= call().catch((cause: unknown) => {
      result = undefined;
      throw cause;
    });
    return result;
  };
}
