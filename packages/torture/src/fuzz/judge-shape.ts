import { account, problem, website, websitePage } from "@siteward/contract";
import type { RawAnswer } from "../client/raw-connection.ts";
import { toObject } from "./judge-problem.ts";

/** Reports how an answer breaks the rules of all answers: the contract's schemas, ids and types, and no 5xx. */
export function judgeShape(answer: RawAnswer, { path, isHead }: { path: string; isHead: boolean }): string[] {
  const { status, headers, text, json } = answer;
  if (status >= 500) return ["the server failed"];
  const requestId = headers.get("x-request-id");
  if (requestId === undefined) return ["it has no X-Request-Id"];
  if (isHead || status === 204) return text === "" ? [] : ["it has a body"];
  const type = headers.get("content-type");
  if (status < 300) {
    return type?.startsWith("application/json") ? judgeData(json, path) : [`its type is ${type}`];
  }
  if (!type?.startsWith("application/problem+json")) return [`its type is ${type}`];
  const parsed = problem.safeParse(json);
  if (!parsed.success) return [`it is not a problem of the contract: ${parsed.error.message}`];
  const { data } = parsed;
  return [
    ...(data.status === status ? [] : [`its body says status ${data.status}`]),
    ...(data.request_id === requestId ? [] : ["its request_id differs from the header"]),
    ...(data.type.endsWith(`/docs/errors/${data.code}`) ? [] : [`its type is ${data.type}`]),
  ];
}

function judgeData(json: unknown, path: string): string[] {
  const isOne = /^\/api\/v1\/websites\/|^\/api\/v1\/account/.test(path) || !Array.isArray(toObject(json)["data"]);
  if (isOne && Object.keys(toObject(json)).join() !== "data") return ["its body has more than data"];
  const schema = path.startsWith("/api/v1/account") ? account : isOne ? website : websitePage;
  const parsed = schema.safeParse(isOne ? toObject(json)["data"] : json);
  return parsed.success ? [] : [`it is not what the contract describes: ${parsed.error.message}`];
}
