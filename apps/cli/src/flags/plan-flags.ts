import { InvalidArgumentError } from "commander";
import { flag, presenceFlag } from "./flag.ts";

/** The site file that commands read if none is named. */
export const defaultSiteFile = "siteward.yaml";

/** The flag to delete what the file does not list. */
export const pruneFlag = presenceFlag("--prune", "delete the websites that are not in the file");

/** The flag to send passwords that are stored already. */
export const setPasswordsFlag = presenceFlag(
  "--set-passwords",
  "send every password again; a stored password cannot be read, so it counts as right without this flag",
);

/** The flag for the number of deletes that a person has agreed to. */
export const confirmDeleteFlag = flag(
  "--confirm-delete <count>",
  "with --prune: the number of websites to delete; with any other number, nothing is changed",
  parseCount,
);

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Use a whole number.");
}
