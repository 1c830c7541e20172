import { isPublished } from "../is-published.ts";
import type { Route } from "../routes.ts";
import type { RequestExample } from "./examples.ts";

/** An operation by the names that the SDK and the CLI have for it too. */
export interface NamedOperation {
  readonly resource: string;
  readonly name: string;
  readonly route: Route;
}

/** Where a server listens by default, on the machine of the reader. */
export const exampleBaseUrl = "http://127.0.0.1:3000";

/** Says how to install the SDK and the CLI. */
const howToInstall = isPublished
  ? "`npm install @siteward/sdk` and `npm install --global @siteward/cli`"
  : "in a clone, `packages/sdk/README.md` and `apps/cli/README.md` say how to install them";

/** Says what the forms of requests need. It is in the description of the service. */
export const formsNeed = [
  "Each operation shows its request with curl, with the SDK and with the CLI. Set the address of the server and an API key for all three:",
  fence("sh", `export SITEWARD_BASE_URL=${exampleBaseUrl} SITEWARD_API_KEY=swk_…`),
  `The SDK and the CLI (${howToInstall}) read the same variables:`,
  fence("ts", 'import { Siteward } from "@siteward/sdk";\n\nconst siteward = new Siteward();'),
].join("\n\n");

/**
 * Writes an example of a request in Markdown, as a call of curl, of the SDK and of the CLI. Their names and flags follow from
 * the contract. The value "…" is the reader's to fill in. A test runs each form on a server (packages/e2e).
 */
export function describeRequest(operation: NamedOperation, example: RequestExample): string {
  return [
    fence("sh", toCurl(operation.route, example)),
    fence("ts", toSdk(operation, example)),
    fence("sh", toCli(operation, example)),
  ].join("\n\n");
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

function toCurl({ method, path }: Route, { id, query, body }: RequestExample): string {
  const search = query === undefined ? "" : `?${new URLSearchParams(query)}`;
  const url = `"$SITEWARD_BASE_URL${path.replace(":id", String(id))}${search}"`;
  const words = ["curl", '-H "Authorization: Bearer $SITEWARD_API_KEY"'];
  if (method === "PUT" || method === "DELETE") words.push(`-X ${method}`);
  if (body === undefined) return [...words, url].join(" ");
  words.push('-H "Content-Type: application/json"', "\\\n ", `-d ${quote(JSON.stringify(body))}`, "\\\n ");
  return [...words, url].join(" ").replaceAll(/ +(?=\\\n)|"(?=…)|(?<=…)"/g, (gap) => (gap === '"' ? "" : " "));
}

function toSdk({ resource, name }: NamedOperation, { id, query, body }: RequestExample): string {
  const given = [id, query, body].filter((argument) => argument !== undefined);
  return `await siteward.${resource}.${name}(${given.map(toLiteral).join(", ")});`;
}

/** A resource that the account has once is a command without a verb. A command that deletes asks, unless it is told not to. */
function toCli({ resource, name, route }: NamedOperation, { id, query, body }: RequestExample): string {
  const hasOne = name === "get" && !route.path.includes(":id");
  const words = ["siteward", resource, ...(hasOne ? [] : [name])];
  const { domain, ...settings }: Readonly<Record<string, unknown>> = { ...query, ...body };
  for (const subject of [id, domain]) if (subject !== undefined) words.push(quote(String(subject)));
  for (const [field, value] of Object.entries(settings)) {
    words.push(`--${field.replaceAll("_", "-")} ${quote(Array.isArray(value) ? value.join(",") : String(value))}`);
  }
  return [...words, ...(route.method === "DELETE" ? ["--yes"] : [])].join(" ");
}

/** Writes a value as JavaScript. */
function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return value === "…" ? value : JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${toLiteral(member)}`)
    .join(", ")} }`;
}

/** Quotes a word for the shell, if it needs that. */
function quote(word: string): string {
  return /^[\w.,:/…-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
