import { styleText } from "node:util";
import { safeLines, safeText } from "@siteward/start/safe-text";
import type { Failure } from "./describe-error.ts";
import { jsonText } from "./json.ts";
import { nameSome } from "./lists.ts";

/** Formats a failure for programs: one line, so that the last line of stderr is always complete JSON. */
export function failureJson(failure: Failure): string {
  const { code, message, status, errors, requestId, next } = failure;
  const { failed, alsoFailed, unknown, existing, missing, notTried, opened, passwordsDeleted } = failure;
  const stop = { failed, also_failed: alsoFailed, unknown, existing, missing, not_tried: notTried };
  const exposure = { opened, passwords_deleted: passwordsDeleted };
  const error = { code, message, status, errors, request_id: requestId, next, ...stop, ...exposure };
  return `${jsonText({ error })}\n`;
}

/** Formats a failure for people: what went wrong, in which field, and what to do next. */
export function failureText(failure: Failure, color: boolean): string {
  const { errors = {}, requestId, next } = failure;
  const lines = [
    `${labelOf(failure, color)}${safeLines(headline(failure))}`,
    ...Object.entries(errors).flatMap(([field, messages]) => messages.map((text) => safeText(`  ${field} ${text}`))),
  ];
  const stop = describeStop(failure);
  if (stop !== "") lines.push(safeText(stop));
  if (next !== undefined) lines.push(safeLines(next));
  if (requestId !== undefined) lines.push(safeText(`Request ID: ${requestId}`));
  return `${lines.join("\n")}\n`;
}

function labelOf({ code }: Failure, color: boolean): string {
  // The person who interrupts it knows that this is not an error.
  if (code === "interrupted") return "";
  return `${color ? styleText(["bold", "red"], "Error:", { validateStream: false }) : "Error:"} `;
}

/** Returns the message of the service, or its title if the fields say the same. */
function headline({ message, title, errors = {} }: Failure): string {
  const isRepeated = Object.values(errors)
    .flat()
    .some((text) => message.includes(text));
  return isRepeated ? (title ?? message) : message;
}

/** Says which of several things failed, which exist already, and what was not tried. JSON lists all of that. */
function describeStop({ failed, alsoFailed = [], unknown = [], existing = [], notTried = [] }: Failure): string {
  const parts = [
    ["Failed", [failed ?? [], ...alsoFailed].flat()],
    ["Unknown, since the answer was lost", unknown],
    ["Exist already", existing],
    ["Not tried", notTried],
  ] as const;
  return parts.flatMap(([label, names]) => (names.length === 0 ? [] : [`${label}: ${nameSome(names)}.`])).join(" ");
}
