import { AppError } from "../app-error.ts";

/** The path below which every operation is. */
export const apiPath = "/api/v1";

/** Whether a path is below another one, or is that path. The comparison is case-sensitive, as routing is. */
export function isBelow(path: string, requested: string): boolean {
  return requested.startsWith(path) && (requested.length === path.length || requested[path.length] === "/");
}

/** Returns the pattern of the paths of a route, whose groups are named as the parameters. */
export function toPathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}/?$`);
}

/** Returns the refusal of a path that does not exist. */
export function pathNotFound(path: string): AppError {
  return new AppError("not_found", `The path ${path} does not exist. GET /openapi.json lists the paths that exist.`);
}

/** Returns the refusal of a path whose percent-encoding is broken. */
export function pathNotReadable(): AppError {
  return new AppError("not_found", "This path does not exist.");
}

/** Returns the value of `Allow` for a path with these methods. */
export function toAllow(methods: readonly string[]): string {
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])].join(", ");
}

/** Returns the refusal of a method that a path does not support. */
export function methodNotAllowed(method: string, allow: string): AppError {
  return new AppError("method_not_allowed", `This path does not support ${method}. Use one of: ${allow}.`, {
    facts: { allow },
  });
}
