import type { GlobalFlags } from "../src/flags/global-flags.ts";
import { exitCodes } from "../src/process/exit-code.ts";

/** What each exit code means. A code without a meaning does not compile. */
const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "Success.",
  failed: "The service or the network failed.",
  notCounted: "With `websites check`: the visit is not counted. If the service or the network failed, it is 8 then.",
  refused: "Wrong usage, or the service rejected the input.",
  changesPlanned: "With `plan --detailed-exitcode`: there are changes. Every error is 1 then.",
  notFound: "Not found.",
  notAllowed: "Not authenticated, or not allowed.",
  conflict:
    "Conflict: the domain is taken, the website was changed since `--if-match`, or the idempotency key is in use.",
  rateLimited: "Rate limited (HTTP 429).",
  partial: "Partly done: some of the work was done, and some was not. The error says what to do.",
  notJudged: "With `websites check`: the service or the network failed.",
  interrupted: "Interrupted.",
};

/** The rows of the table of exit codes. */
export const exitCodeRows: readonly (readonly string[])[] = Object.entries(exitCodes).map(([name, code]) => [
  String(code),
  // The entries are those of the record of the same names.
  exitCodeMeanings[name as keyof typeof exitCodes],
]);

/** A setting that more than one source can have. */
interface Setting {
  readonly name: string;
  readonly flags: readonly (keyof GlobalFlags)[];
  readonly variable: string;
  readonly otherwise: string;
}

/** The settings that a flag, a variable or the profile can have. */
export const settings: readonly Setting[] = [
  {
    name: "API key",
    flags: ["apiKeyStdin", "apiKeyFile"],
    variable: "SITEWARD_API_KEY",
    otherwise: "the key of the profile",
  },
  {
    name: "URL of the service",
    flags: ["baseUrl"],
    variable: "SITEWARD_BASE_URL",
    otherwise: "the URL of the profile, or `http://127.0.0.1:3000`",
  },
  {
    name: "Profile",
    flags: ["profile"],
    variable: "SITEWARD_PROFILE",
    otherwise: "the one of `siteward profiles use`, or `default`",
  },
];

/** The variables that the CLI reads, apart from those of the settings. */
export const variables: Readonly<Record<string, string>> = {
  SITEWARD_CONFIG_DIR: "The folder of `profiles.json`. It overrides `XDG_CONFIG_HOME` and, on Windows, `AppData`.",
  SITEWARD_KEY_STORE: "Where a login stores the API key: `keyring`, `file`, or `auto` (default), which chooses.",
  SITEWARD_ALLOW_HTTP: "`1`: send the API key to another machine over `http://` without a warning.",
  HTTPS_PROXY: "The proxy for requests, as `HTTP_PROXY` is for those to `http://`. Lower case works too.",
  NO_PROXY: "Hosts that are reached without a proxy, comma-separated.",
  NO_COLOR: "Any value disables color.",
  CI: "Any value other than `0` and `false` disables prompts and progress bars.",
  TERM: "`dumb` disables color, prompts and progress bars.",
  COLUMNS: "The width of the help.",
};
