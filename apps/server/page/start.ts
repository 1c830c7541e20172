import { labelControls } from "./label-controls.ts";
import { type ApiDocument, toPageDocument } from "./page-document.ts";
import { pagePlugin } from "./page-plugin.ts";

/** What the page uses of Swagger UI, whose script runs before this one. */
declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => void;

followColorScheme(window.matchMedia("(prefers-color-scheme: dark)"));
const reference = document.getElementById("reference") ?? document.body;
labelControls(reference);
start().catch((cause: unknown) => say(`The reference could not be loaded: ${cause}. Reload the page.`));

/** Swagger UI is dark with a class, and does not look at what the system prefers. */
function followColorScheme(dark: MediaQueryList): void {
  const apply = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", apply);
  apply();
}

async function start(): Promise<void> {
  const response = await fetch("openapi.json");
  if (!response.ok) throw new Error(`the server answered with ${response.status}`);
  // The cast is safe: the server that serves this script serves that document.
  const apiDocument = (await response.json()) as ApiDocument;
  const version = document.getElementById("version");
  if (version !== null) version.textContent = apiDocument.info.version;
  SwaggerUIBundle({
    domNode: reference,
    spec: toPageDocument(apiDocument, location.href),
    layout: "BaseLayout",
    plugins: [pagePlugin],
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    // It would send the document to a server of Swagger's makers.
    validatorUrl: null,
    // It would store the API key in the browser.
    persistAuthorization: false,
  });
}

function say(text: string): void {
  const status = reference.querySelector(".status");
  if (status !== null) status.textContent = text;
}
