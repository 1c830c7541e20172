import { contract, errorCodes, problem } from "@siteward/contract";
import type { ReceivedAnswer } from "./side.ts";

/** Reports how an answer breaks the rules of all answers: it is declared by the contract, with an ID and a type, and no 5xx. */
export function judgeAnswer({ method, path, status, headers, body }: ReceivedAnswer): string[] {
  if (status >= 500) return ["The server failed."];
  const requestId = headers.get("X-Request-Id");
  if (requestId === null) return ["It has no X-Request-Id."];
  if (method === "HEAD" || status === 204 || status === 304) return body === "" ? [] : ["It has a body."];
  const declared = findOperation(method, path);
  const schema = declared?.responses[status];
  if (declared !== undefined && schema === undefined) return [`The contract does not declare the status ${status}.`];
  if (status >= 400) return judgeProblem({ status, headers, body, requestId, codes: declared?.codes });
  const type = headers.get("Content-Type");
  if (type?.startsWith("application/json") !== true) return [`Its type is ${type}.`];
  if (schema === undefined) return ["The contract does not declare it."];
  const { success, error } = schema.safeParse(JSON.parse(body));
  return success ? [] : [`It is not what the contract describes: ${error?.message}`];
}

interface Refusal extends Pick<ReceivedAnswer, "status" | "headers" | "body"> {
  readonly requestId: string;
  /** The codes that the operation declares. Undefined if the contract has no such operation. */
  readonly codes: readonly string[] | undefined;
}

function judgeProblem({ status, headers, body, requestId, codes }: Refusal): string[] {
  const type = headers.get("Content-Type");
  if (type?.startsWith("application/problem+json") !== true) return [`Its type is ${type}.`];
  const { data, error } = problem.safeParse(JSON.parse(body));
  if (data === undefined) return [`It is not a problem of the contract: ${error?.message}`];
  return [
    ...(codes?.includes(data.code) === false ? [`The operation does not declare ${data.code}.`] : []),
    ...(status === errorCodes[data.code].status ? [] : [`The status of ${data.code} is not ${status}.`]),
    ...(data.status === status ? [] : [`Its body says status ${data.status}.`]),
    ...(data.request_id === requestId ? [] : ["Its request_id differs from the header."]),
    ...(data.type.endsWith(`/docs/errors/${data.code}`) ? [] : [`Its type is ${data.type}.`]),
  ];
}

interface DeclaredOperation {
  readonly method: string;
  readonly path: RegExp;
  readonly codes: readonly string[];
  readonly responses: Readonly<Record<number, ResponseSchema>>;
}

interface ResponseSchema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: Error | undefined };
}

const operations = Object.values(contract)
  .flatMap((resource) => Object.values(resource))
  .map(
    ({ method, path, metadata, responses }): DeclaredOperation => ({
      method,
      // The server accepts a slash at the end.
      path: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}/?$`),
      codes: metadata.errors,
      // Answers without a body have no schema, and were judged before one is read.
      responses: responses as unknown as DeclaredOperation["responses"],
    }),
  );

function findOperation(method: string, path: string): DeclaredOperation | undefined {
  const [pathname = ""] = path.split("?");
  return operations.find((operation) => operation.method === method && operation.path.test(pathname));
}
