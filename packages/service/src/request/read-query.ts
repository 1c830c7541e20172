import { AppError } from "../errors/app-error.ts";
import { decodeForm } from "./form.ts";

/**
 * Reads a query string as strictly as a form body. Node's own parser ignores broken percent-encoding, and silently drops
 * parameters after the thousandth.
 */
export function readQuery(text: string | null): Record<string, string | string[]> {
  if (text === null) return {};
  try {
    return decodeForm(text, "query");
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const detail =
      "The query string could not be read: its percent-encoding is invalid or does not decode to UTF-8. " +
      "Encode it as UTF-8.";
    throw new AppError("malformed_request", detail, { cause });
  }
}
