import { contract, type Route } from "@siteward/contract";
import {
  type Call,
  methodNotAllowed,
  type Operation,
  operations,
  pathNotFound,
  pathNotReadable,
  refuseInvalid,
  toAllow,
  toPathPattern,
  type ValidationIssue,
} from "@siteward/service";

/** One operation of the contract, with its schemas and what carries it out. */
interface ServedOperation extends Schemas {
  readonly route: Route;
  readonly pattern: RegExp;
  readonly run: Operation<unknown>;
}

type Schemas = Readonly<Partial<Record<"pathParams" | "query" | "body", Schema | undefined>>>;

/** A schema of the contract. Its issues have a message and, for a closed object, the unknown keys. */
interface Schema {
  readonly "~standard": {
    validate(value: unknown): { readonly value?: unknown; readonly issues?: readonly ValidationIssue[] };
  };
}

const served = Object.entries(contract).flatMap(([resource, entries]) =>
  Object.entries(entries).map(([name, entry]): ServedOperation => {
    const { route } = entry.metadata;
    // Both objects have the same keys, and each operation gets what the schemas of its own entry return.
    const ofResource = operations[resource as keyof typeof operations] as Readonly<Record<string, Operation<unknown>>>;
    const run = ofResource[name] as Operation<unknown>;
    // A route that takes no fields has a symbol in place of a schema.
    const { pathParams, query, body } = entry as Schemas;
    const schemas = { pathParams, query, body: "contentType" in entry ? body : undefined };
    return { ...schemas, route, pattern: toPathPattern(route.path), run };
  }),
);

/** An operation, and the values of the parameters in its path. */
export interface FoundOperation {
  readonly operation: ServedOperation;
  readonly params: Readonly<Record<string, string>>;
}

/** Where a request leads: to an operation, or to the list of methods that it asks for. */
type FoundRoute = FoundOperation | { readonly allow: string };

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
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    throw pathNotReadable();
  }
}

/** The parts of a request, as they were sent or as the schemas returned them. */
type RequestParts = Pick<Call, "params" | "query" | "body">;

/**
 * Validates the parts of a request with the schemas of its route. One answer names every bad field.
 *
 * @throws AppError `validation_failed`, or `not_found` if the ID in the path is not valid
 */
export function validate(operation: ServedOperation, sent: RequestParts): RequestParts {
  const params = operation.pathParams?.["~standard"].validate(sent.params);
  const query = operation.query?.["~standard"].validate(sent.query);
  const body = operation.body?.["~standard"].validate(sent.body);
  const issues = [...(query?.issues ?? []), ...(body?.issues ?? [])];
  if (params?.issues !== undefined || issues.length > 0) {
    throw refuseInvalid({ isPathInvalid: params?.issues !== undefined, issues });
  }
  return { params: params?.value, query: query?.value, body: body?.value };
}
