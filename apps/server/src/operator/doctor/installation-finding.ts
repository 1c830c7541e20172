import type { InstallationError } from "../../storage/interface/installation-error.ts";
import { remedyOf } from "../io/installation-remedy.ts";
import { type Finding, failure, splitFailure } from "./finding.ts";

/**
 * Returns what is wrong with an installation. Some messages end with what to do.
 *
 * @param otherwise what to do if neither the message nor its code says it
 */
export function toFinding(error: InstallationError, otherwise: string): Finding {
  const remedy = remedyOf(error);
  return remedy === "" ? splitFailure(error.message, otherwise) : failure(error.message.replace(/\.?$/, "."), remedy);
}
