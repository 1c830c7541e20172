import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type ErrorCode, errorCodes } from "@siteward/contract";
import { Router } from "express";
import { AppError } from "../errors/app-error.ts";
import { methodNotAllowed } from "../http/method-not-allowed.ts";
import { errorDocsPath } from "../http/problem-of.ts";

/** The document as the contract's package holds it: making it anew would cost each server 12 MB of memory. */
const openApiFile = createRequire(import.meta.url).resolve("@siteward/contract/openapi.json");

/** Serves the OpenAPI document and a page for every error code, which the `type` of a problem points to. */
export function docs(): Router {
  const router = Router();
  // Express's `sendFile` would answer ranges and preconditions, with errors that are none of ours.
  router.get("/openapi.json", async (_request, response) => {
    response.type("json").send(await readFile(openApiFile));
  });
  router.get(errorDocsPath, (_request, response) => {
    response.type("html").send(renderPage("Siteward errors", codes().map(renderCode).join("")));
  });
  router.get(`${errorDocsPath}/:code`, (request, response) => {
    const code = codes().find((known) => known === request.params["code"]);
    if (code === undefined) throw new AppError("not_found", "There is no error with this code.");
    response.type("html").send(renderPage(`${code} · Siteward errors`, renderCode(code)));
  });
  router.all(["/openapi.json", errorDocsPath, `${errorDocsPath}/:code`], methodNotAllowed(["GET"]));
  return router;
}

function codes(): ErrorCode[] {
  // Object.keys loses the key type; the catalogue is closed and constant.
  return Object.keys(errorCodes) as ErrorCode[];
}

function renderCode(code: ErrorCode): string {
  const { status, title, meaning, remedy } = errorCodes[code];
  return `<section id="${code}"><h2>${title}</h2><p><code>${code}</code>, HTTP status ${status}</p><p>${renderText(meaning)}</p><p>${renderText(remedy)}</p></section>`;
}

/** The catalogue marks code with backquotes, as Markdown does. */
function renderText(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.replace(/`([^`]*)`/g, "<code>$1</code>");
}

function renderPage(title: string, body: string): string {
  const style = "body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head><body><main>${body}<p><a href="${errorDocsPath}">All errors</a></p></main></body></html>`;
}
