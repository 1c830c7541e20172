import { endpoints } from "@siteward/contract/endpoints";

/** What stands for a path or a method that the server does not have. Otherwise clients could create series without end. */
const other = "_OTHER";

const paths = [
  ...new Set(Object.values(endpoints).flatMap((ofResource) => Object.values(ofResource).map(({ path }) => path))),
];
/** Templates by the path before their parameter. */
const templates = new Map(
  paths.filter((path) => path.includes("/:")).map((path) => [path.slice(0, path.indexOf(":")), toTemplate(path)]),
);
const plain = new Set(["/", "/healthz", "/readyz", "/openapi.json", ...paths.filter((path) => !path.includes(":"))]);
/** The pages for people, with their files. */
const pagesPath = "/docs";

/** Returns the route of a request, such as `/api/v1/websites/{id}`, whether it was refused before it was routed or not. */
export function routeOf(url: string): string {
  const queryAt = url.indexOf("?");
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  if (plain.has(path)) return path;
  const endsAt = path.lastIndexOf("/") + 1;
  const template = endsAt === path.length ? undefined : templates.get(path.slice(0, endsAt));
  if (template !== undefined) return template;
  return path === pagesPath || path.startsWith(`${pagesPath}/`) ? `${pagesPath}/{page}` : other;
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]);

export function methodOf(method: string): string {
  return methods.has(method) ? method : other;
}

/** OpenTelemetry and OpenAPI write parameters in braces. */
function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
