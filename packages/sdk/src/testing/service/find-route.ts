import type { Route } from "@siteward/contract";
import {
  methodNotAllowed,
  type Operation,
  operations,
  pathNotFound,
  pathNotReadable,
  type ServedRoute,
  servedContract,
  toAllow,
  toPathPattern,
} from "@siteward/service";

/** One operation of the contract, with its schemas and what carries it out. */
export interface ServedOperation {
  readonly route: Route;
  readonly pattern: RegExp;
  readonly schemas: { readonly pathParams?: Schema; readonly query?: Schema; readonly body?: Schema };
  readonly run: Operation<unknown>;
}

/** A schema by the Standard Schema specification (https://standardschema.dev). */
export interface Schema {
  readonly "~standard": { readonly validate: (value: unknown) => unknown };
}

/** Where a request leads: to an operation, or to the list of methods that it asks for. */
type FoundRoute =
  | { readonly operation: ServedOperation; readonly params: Readonly<Record<string, string>> }
  | { readonly allow: string };

/**
 * Finds the operation of a request.
 *
 * @throws AppError `not_found` or `method_not_allowed`
 */
export function findRoute(method: string, path: string): FoundRoute {
  const ofPath = served.filter(({ pattern }) => pattern.test(path));
  const [first] = ofPath;
  if (first === undefined) throw pathNotFound(path);
  const params = readParams(first.pattern.exec(path)?.groups);
  // A HEAD is answered as a GET, without the body.
  const operation = ofPath.find(({ route }) => route.method === (method === "HEAD" ? "GET" : method));
  if (operation !== undefined) return { operation, params };
  const allow = toAllow(ofPath.map(({ route }) => route.method));
  if (method === "OPTIONS") return { allow };
  throw methodNotAllowed(method, allow);
}

function readParams(groups: Readonly<Record<string, string>> = {}): Record<string, string> {
  const params: Record<string, string> = {};
  try {
    for (const name in groups) params[name] = decodeURIComponent(groups[name] ?? "");
  } catch {
    throw pathNotReadable();
  }
  return params;
}

const served = listOperations();

function listOperations(): ServedOperation[] {
  return Object.entries(servedContract).flatMap(([resource, entries]) => {
    // The casts are safe: both objects have the same keys, and each operation gets what the schemas of its own entry return.
    const ofResource = operations[resource as keyof typeof operations] as Readonly<Record<string, Operation<unknown>>>;
    return Object.entries(entries).map(([name, entry]) => toOperation(entry, ofResource[name] as Operation<unknown>));
  });
}

function toOperation(entry: ServedRoute, run: Operation<unknown>): ServedOperation {
  const { route } = entry.metadata;
  return {
    route,
    pattern: toPathPattern(route.path),
    schemas: {
      ...("pathParams" in entry ? { pathParams: entry.pathParams } : {}),
      ...("query" in entry ? { query: entry.query } : {}),
      ...("contentType" in entry ? { body: entry.body } : {}),
    },
    run,
  };
}
