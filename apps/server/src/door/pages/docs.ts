import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type ErrorCode, errorCodes } from "@siteward/contract";
import { AppError, errorDocsPath } from "@siteward/service";
import { type Response, Router } from "express";
import { methodNotAllowed } from "../http/method-not-allowed.ts";
import { send } from "../http/send.ts";

/** Serves the OpenAPI document, and a page for every error code, which the `type` of a problem links to. */
export function docs(): Router {
  const router = Router({ caseSensitive: true });
  const pages = renderPages();
  let document: Buffer | undefined;
  // Express's `sendFile` would answer ranges and preconditions, with errors that are not ours.
  router.get("/openapi.json", (_request, response) => {
    document ??= readFileSync(openApiFile);
    send(response, { status: 200, content: { type: "application/json; charset=utf-8", body: document } });
  });
  router.get(errorDocsPath, (_request, response) => {
    sendPage(response, pages.index);
  });
  router.get(`${errorDocsPath}/:code`, (request, response) => {
    const page = pages.byCode.get(request.params["code"] ?? "");
    if (page === undefined) throw new AppError("not_found", "This error code does not exist.");
    sendPage(response, page);
  });
  router.all(["/openapi.json", errorDocsPath, `${errorDocsPath}/:code`], methodNotAllowed(["GET"]));
  return router;
}

function sendPage(response: Response, body: Buffer): void {
  send(response, { status: 200, content: { type: "text/html; charset=utf-8", body } });
}

/**
 * The document in the contract's package. To build it again would cost each server 12 MB of memory. It is read once, when
 * it is first requested, and every response shares its bytes.
 */
const openApiFile = createRequire(import.meta.url).resolve("@siteward/contract/openapi.json");

/** Renders every page once. Responses share their bytes. */
function renderPages(): { readonly index: Buffer; readonly byCode: ReadonlyMap<string, Buffer> } {
  const index = renderPage("Siteward errors", codes().map(renderCode).join(""));
  const byCode = codes().map((code): [string, Buffer] => [
    code,
    renderPage(`${code} · Siteward errors`, renderCode(code)),
  ]);
  return { index, byCode: new Map(byCode) };
}

function codes(): ErrorCode[] {
  // Object.keys loses the key type. The catalogue is closed and constant.
  return Object.keys(errorCodes) as ErrorCode[];
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

function renderPage(title: string, body: string): Buffer {
  const style = "body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}";
  const head =
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>${title}</title><style>${style}</style>`;
  const main = `${body}<p><a href="${errorDocsPath}">All errors</a></p>`;
  const html = `<!doctype html><html lang="en"><head>${head}</head><body><main>${main}</main></body></html>`;
  return Buffer.from(html);
}
