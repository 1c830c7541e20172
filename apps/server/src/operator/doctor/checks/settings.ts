import type { Check } from "../check.ts";
import { ok, splitFailure, warning } from "../finding.ts";

/** The settings, without those that only the database can judge. */
export const settingsCheck: Check = {
  run({ config, errors }) {
    const wrong = errors.map(({ message }) => splitFailure(message, "Correct the setting."));
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
