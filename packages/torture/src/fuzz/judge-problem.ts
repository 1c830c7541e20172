import { type ErrorCode, errorCodes } from "@siteward/contract";
import type { RawAnswer } from "../client/raw-connection.ts";

/** Members that a problem must have in addition to those of every problem. */
export type ProblemMembers = Readonly<Record<string, unknown>>;

/** Reports how an answer differs from a refusal with one of these codes. `errors` is compared by its fields. */
export function judgeProblem(
  answer: RawAnswer,
  codes: readonly ErrorCode[],
  members: Partial<Record<ErrorCode, ProblemMembers>> = {},
): string[] {
  const problem = toObject(answer.json);
  const code = codes.find((known) => known === problem["code"]);
  if (code === undefined) return [`it should be refused with ${codes.join(" or ")}`];
  if (answer.status !== errorCodes[code].status) return [`the status of ${code} is ${errorCodes[code].status}`];
  return Object.entries(members[code] ?? {}).flatMap(([name, wanted]) =>
    JSON.stringify(problem[name]) === JSON.stringify(wanted) ? [] : [`${name} should be ${JSON.stringify(wanted)}`],
  );
}

/** Reads the fields that a refusal names, in order. */
export function readRefusedFields({ json }: RawAnswer): string[] {
  return Object.keys(toObject(toObject(json)["errors"])).sort();
}

export function toObject(value: unknown): Readonly<Record<string, unknown>> {
  // Reading any member of an object as unknown is safe.
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
