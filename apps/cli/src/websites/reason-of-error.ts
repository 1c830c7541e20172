import { isApiError } from "@siteward/sdk";

/** Returns why a request for one website failed, on one line: what is wrong with each field, if the service says it. */
export function reasonOfError(error: unknown): string {
  if (!isApiError(error)) return error instanceof Error ? error.message : String(error);
  const { errors, detail, title } = error;
  const faults = Object.entries(errors).flatMap(([field, messages]) => messages.map((text) => `${field} ${text}`));
  return faults.length > 0 ? faults.join("; ") : detail || title;
}
