import type { InstallationError } from "../../storage/interface/installation-error.ts";
import { remedyOf } from "../io/installation-remedy.ts";
import { type Finding, failure } from "./finding.ts";

/**
 * Returns what is wrong with an installation. Some messages end with what to do.
 *
 * @param otherwise what to do if neither the message nor its code says it
 */
export function toFinding(error: InstallationError, otherwise: string): Finding {
  const { message } = error;
  const end = message.search(/\. (?=[A-Z])/) + 1;
  const remedy = remedyOf(error);
  if (remedy !== "" || end === 0) return failure(message.replace(/\.?$/, "."), remedy || otherwise);
  return failure(message.slice(0, end), message.slice(end).trim());
}
