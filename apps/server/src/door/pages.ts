import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { exchangeOf } from "./exchange.ts";
import { methodNotAllowed, policyName, send } from "./send.ts";

/**
 * The pages for people, their files and the OpenAPI document, as `scripts/build-page.ts` writes them: each at its path.
 */
const folder = join(dirname(createRequire(import.meta.url).resolve("@siteward/server/package.json")), "dist/page");

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** A page may run scripts and styles of this server, none in the page itself, and send requests to it only. */
const ownFiles =
  "default-src 'none';script-src 'self';style-src 'self';connect-src 'self';" +
  "base-uri 'none';frame-ancestors 'none';form-action 'none'";

/** Where a person manages websites, and where they read about the API and try it, with the policy of each. */
const apps: Readonly<Record<string, string>> = {
  // No text becomes markup or a script.
  "/console": `${ownFiles};img-src 'self';require-trusted-types-for 'script';trusted-types 'none'`,
  // The icons of Swagger UI are `data:` images in its styles.
  "/docs": `${ownFiles};img-src 'self' data:`,
};

/**
 * Serves all pages. Whoever asks for `/` and accepts a page is led to the one at `/console`.
 *
 * @param hasApps whether there are pages that do something. The errors and the OpenAPI document are always there.
 */
export function pages(hasApps: boolean): Router {
  // `/docs/` would be another folder for the relative links of the page.
  const router = Router({ caseSensitive: true, strict: true });
  const files = findFiles(hasApps);
  const refuse = methodNotAllowed(["GET"]);
  if (hasApps) {
    for (const path of Object.keys(apps)) router.get(`${path}/`, redirect(`..${path}`)).all(`${path}/`, refuse);
    router.get("/", (request, response, next) => {
      if (request.accepts("text/html")) redirect("console")(request, response, next);
      else next();
    });
  }
  router.use((request, response, next) => {
    const file = files.get(request.path.replace(/\/$/, ""));
    if (file === undefined) next();
    else if (request.method === "GET" || request.method === "HEAD") sendFile(request, response, file);
    else refuse(request, response, next);
  });
  return router;
}

/** Returns the files by the paths at which they are served. */
function findFiles(hasApps: boolean): ReadonlyMap<string, PageFile> {
  const found = readdirSync(folder, { recursive: true }).map((name) => String(name).replaceAll("\\", "/"));
  const names = found.filter((name) => extname(name) !== "");
  // What only an app uses is compressed.
  const isServed = ({ path, type, isCompressed }: PageFile) =>
    type !== undefined && (hasApps || !(isCompressed || path in apps));
  const files = names.map(toPageFile).filter(isServed);
  return new Map(files.map((file) => [file.path, file]));
}

type PageFile = ReturnType<typeof toPageFile>;

/** All responses share its bytes. */
function toPageFile(name: string) {
  const plain = name.replace(/\.gz$/, "");
  const body = readFileSync(join(folder, name));
  const entityTag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 16)}"`;
  // Every browser accepts gzip, so a compressed file has no other form.
  const isCompressed = plain !== name;
  return { path: `/${plain.replace(/\.html$/, "")}`, type: mediaTypes[extname(plain)], isCompressed, body, entityTag };
}

function sendFile(request: Request, response: Response, file: PageFile): void {
  const { path, type = "", isCompressed, body, entityTag } = file;
  const { answerHeaders: headers } = exchangeOf(request);
  // The path of a compressed file contains the hash of what is in it.
  const caching = isCompressed ? "public, max-age=31536000, immutable" : "no-cache";
  headers.push("ETag", entityTag, "Cache-Control", caching);
  if (isCompressed) headers.push("Content-Encoding", "gzip");
  const policy = apps[path];
  if (policy !== undefined) headers[headers.indexOf(policyName) + 1] = policy;
  // A tag is a quoted string, so it is in the header only as one of its tags, with `W/` or without.
  const isKnown = request.headers["if-none-match"]?.includes(entityTag);
  send(response, isKnown ? { status: 304 } : { status: 200, content: { type, body } });
}

/** @param location relative, so that it is right behind a prefix too */
function redirect(location: string): RequestHandler {
  return (request, response) => {
    exchangeOf(request).answerHeaders.push("Location", location, "Vary", "Accept");
    send(response, { status: 303, content: { type: "text/plain", body: "The pages are at console and docs.\n" } });
  };
}
