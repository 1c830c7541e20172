import type { Check } from "../check.ts";
import { failure, ok, warning } from "../finding.ts";

/** The settings, without those that only the database can judge. */
export const settingsCheck: Check = {
  run({ config, errors }) {
    const wrong = errors.map(({ message }) => toFinding(message));
    const slow = config.validateResponses
      ? [
          warning(
            "NODE_ENV is test, so the server checks each response, which costs a quarter of its throughput.",
            "Set NODE_ENV to production, or unset it.",
          ),
        ]
      : [];
    const found = [...wrong, ...slow];
    return found.length === 0 ? [ok("All settings are valid.")] : found;
  },
};

/** The message of an error ends with what to do. */
function toFinding(message: string) {
  const end = message.lastIndexOf(". Set it to ") + 1;
  const cut = end > 0 ? end : message.indexOf(". ") + 1;
  return failure(message.slice(0, cut), message.slice(cut).trim());
}
