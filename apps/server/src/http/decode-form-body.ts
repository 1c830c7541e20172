import { AppError } from "../errors/app-error.ts";
import { decodeForm } from "./form.ts";

/**
 * Decodes the body of a form. JSON that is sent as a form, as `curl -d` does without a header, is one field whose name is
 * most of the document. It is refused with what to change, instead of as an unknown field.
 *
 * @throws URIError if the percent-encoding is broken or is not UTF-8
 * @throws AppError if it contains too many fields, or JSON
 */
export function decodeFormBody(text: string): Record<string, string | string[]> {
  const fields = decodeForm(text);
  if (/^\s*\{/.test(text) && Object.keys(fields).length === 1) throw jsonAsForm();
  return fields;
}

/** Has the code of every unknown field, because clients rely on the code. */
function jsonAsForm(): AppError {
  const message = "looks like JSON but was sent as a form; send the header Content-Type: application/json";
  return new AppError(
    "validation_failed",
    "The body looks like JSON but was sent as a form. Send the header Content-Type: application/json.",
    { extension: { errors: { body: [message] } } },
  );
}
