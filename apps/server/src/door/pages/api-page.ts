import { AppError } from "@siteward/service";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { exchangeOf } from "../admission/exchange.ts";
import { methodNotAllowed } from "../http/method-not-allowed.ts";
import { allowOwnFiles } from "../http/security-headers.ts";
import { send } from "../http/send.ts";
import { loadPageFiles } from "./page-files.ts";

const pagePath = "/docs";
const filePath = `${pagePath}/files/:hash/:name`;

/** Serves the page on which a person reads about the API and tries it, and its files. A browser that asks for `/` is led there. */
export function apiPage(): Router {
  // `/docs/` would be another folder for the relative links of the page.
  const router = Router({ caseSensitive: true, strict: true });
  router.get(pagePath, async (request, response) => {
    const { html } = await loadPageFiles();
    allowOwnFiles(exchangeOf(request));
    await sendFile(request, response, html, "no-cache");
  });
  router.get(filePath, async (request, response) => {
    const { hash, name } = request.params;
    const file = (await loadPageFiles()).byPath.get(`${hash}/${name}`);
    if (file === undefined) throw new AppError("not_found", "This version of the page is not here. Load /docs again.");
    await sendFile(request, response, file, "public, max-age=31536000, immutable");
  });
  router.get(`${pagePath}/`, redirect("../docs"));
  router.get("/", (request, response, next) => {
    // Only what names it: programs that accept everything get the error that they got before.
    if (request.accepts().includes("text/html")) redirect("docs")(request, response, next);
    else next();
  });
  router.all([pagePath, `${pagePath}/`, filePath], methodNotAllowed(["GET"]));
  return router;
}

type File = Awaited<ReturnType<typeof loadPageFiles>>["html"];

async function sendFile(request: Request, response: Response, file: File, cacheControl: string): Promise<void> {
  const { headers } = exchangeOf(request);
  const { type, entityTag, gzip } = file;
  headers.push("ETag", entityTag, "Cache-Control", cacheControl);
  if (gzip !== undefined) headers.push("Vary", "Accept-Encoding");
  // A tag is a quoted string, so it is in the header only as one of its tags, with `W/` or without.
  if (request.headers["if-none-match"]?.includes(entityTag.replace("W/", ""))) {
    send(response, { status: 304 });
    return;
  }
  const isCompressed = gzip !== undefined && request.acceptsEncodings("gzip", "identity") === "gzip";
  if (isCompressed) headers.push("Content-Encoding", "gzip");
  send(response, { status: 200, content: { type, body: isCompressed ? gzip : await file.read() } });
}

/** @param location relative, so that it is right behind a prefix too */
function redirect(location: string): RequestHandler {
  return (request, response) => {
    exchangeOf(request).headers.push("Location", location, "Vary", "Accept", "Content-Length", "0");
    send(response, { status: 303 });
  };
}
