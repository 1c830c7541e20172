import { flag, presenceFlag } from "./flag.ts";
import { wholeNumber } from "./numbers.ts";

/** The site file that commands read if none is named. */
export const defaultSiteFile = "siteward.yaml";

/** The flag to delete what the file does not list. */
export const pruneFlag = presenceFlag("--prune", "delete the websites that are not in the file");

/** The flag to send passwords that are stored already. */
export const setPasswordsFlag = presenceFlag(
  "--set-passwords",
  "send every password again; without this flag, a password that is stored counts as unchanged",
);

/** The flag for the number of deletes that a person has agreed to. */
export const confirmDeleteFlag = flag(
  "--confirm-delete <count>",
  "with --prune: how many websites to delete; if the plan has another number, nothing changes",
  wholeNumber(0),
);
