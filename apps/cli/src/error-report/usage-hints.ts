/** What commander refused in a command line. */
interface RefusedPart {
  /** Commander's code of the error. */
  readonly code: string;
  /** The option or command that it does not know. */
  readonly word: string;
  /** The words of the command that was called, such as `siteward websites`. */
  readonly calledWords: string;
}

/** Returns what to use instead, as a sentence, if people often type this. */
export function findUsageHint({ code, word, calledWords }: RefusedPart): string | undefined {
  if (code === "commander.unknownOption") return own(optionHints, word);
  if (code === "commander.excessArguments") return calledWords === "siteward login" ? passApiKey : undefined;
  if (code !== "commander.unknownCommand") return undefined;
  return own(own(commandHints, calledWords) ?? {}, word) ?? hintForWebsite(word, calledWords);
}

/** Returns the hint for a domain or an ID in the place of a command. */
function hintForWebsite(word: string, calledWords: string): string | undefined {
  if (calledWords !== "siteward" && calledWords !== "siteward websites") return undefined;
  if (!/^(\d+|[\w-]+(\.[\w-]+)+)$/.test(word)) return undefined;
  return `To show this website, use \`siteward websites get ${word}\`.`;
}

const passApiKey = "Pass the API key with --api-key-stdin or --api-key-file, or set SITEWARD_API_KEY.";
const useBaseUrl = "Use --base-url.";
const useOutput = "Use --output.";
const useYes = "To confirm, use --yes.";

/** Options of other tools, and options that would show a secret to other users of the machine. */
export const optionHints: Readonly<Record<string, string>> = {
  "--api-key": passApiKey,
  "--apikey": passApiKey,
  "--key": passApiKey,
  "--token": passApiKey,
  "--password": "Pass the password with --password-stdin.",
  "-v": "For the version, use --version. To see the requests, use --verbose.",
  "--debug": "Use --verbose.",
  "--url": useBaseUrl,
  "--host": useBaseUrl,
  "--server": useBaseUrl,
  "--endpoint": useBaseUrl,
  "--api-url": useBaseUrl,
  "--format": useOutput,
  "--csv": useOutput,
  "--yaml": useOutput,
  "--ndjson": useOutput,
  "--columns": "Use --fields.",
  "--non-interactive": "Use --no-input.",
  "-a": "Use --all.",
  "--filter": "Use --search.",
  "--query": "Use --search.",
  "--auto-approve": useYes,
  "--confirm": useYes,
  "-f": useYes,
  "--force": `${useYes} To change websites that exist, import with --on-conflict update.`,
  "--update": "Use --on-conflict update.",
  "--overwrite": "Use --on-conflict update.",
  "-n": "Use --dry-run.",
  "--dry-run": "To see what a site file would change, use `siteward plan`.",
};

const useList = "Use `siteward websites list`.";
const useGet = "Use `siteward websites get`.";
const useCreate = "Use `siteward websites create`.";
const useUpdate = "Use `siteward websites update`.";
const useDelete = "Use `siteward websites delete`.";
const useAccount = "Use `siteward account`.";
const useWebsites = "Use `siteward websites`.";
const useLogin = "Use `siteward login`.";
const useLogout = "Use `siteward logout`.";
const useProfiles = "Use `siteward profiles`.";
const createKeys = "The operator of the service creates API keys, with `siteward-server keys create`.";
const startServer = "To start a server, use `siteward-server start`.";

const search = "Use `siteward websites list` with --search.";
const useExport = "Use `siteward export`.";
const useImport = "Use `siteward import`.";
const useCheck = "Use `siteward check`.";
const usePlan = "Use `siteward plan`.";
const useApply = "Use `siteward apply`.";
const useApi = "Use `siteward api`.";

const addProfile = "To add a profile, use `siteward login` with --profile.";
const removeProfile = "Use `siteward profiles remove`.";

/** The verbs of other tools for the commands of a group. */
const websiteVerbs: Readonly<Record<string, string>> = {
  ls: useList,
  all: useList,
  show: useGet,
  view: useGet,
  info: useGet,
  add: useCreate,
  new: useCreate,
  edit: useUpdate,
  set: useUpdate,
  change: useUpdate,
  rm: useDelete,
  del: useDelete,
  remove: useDelete,
  search,
  find: search,
};

/** What people type instead of a command, below the words of the command or group that they type it after. */
export const commandHints: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  siteward: {
    ...websiteVerbs,
    list: useList,
    get: useGet,
    create: useCreate,
    update: useUpdate,
    delete: useDelete,
    site: useWebsites,
    sites: useWebsites,
    domain: useWebsites,
    domains: useWebsites,
    whoami: useAccount,
    me: useAccount,
    status: useAccount,
    auth: useLogin,
    signin: useLogin,
    signout: useLogout,
    profile: useProfiles,
    config: useProfiles,
    switch: useProfiles,
    use: "Use `siteward profiles use`.",
    init: useExport,
    backup: useExport,
    pull: useExport,
    restore: useImport,
    validate: useCheck,
    lint: useCheck,
    diff: usePlan,
    preview: usePlan,
    sync: useApply,
    push: useApply,
    deploy: useApply,
    request: useApi,
    raw: useApi,
    curl: useApi,
    version: "Use `siteward --version`.",
    key: createKeys,
    keys: createKeys,
    "api-keys": createKeys,
    start: startServer,
    serve: startServer,
  },
  "siteward websites": { ...websiteVerbs, export: useExport, import: useImport },
  "siteward profiles": {
    ls: "Use `siteward profiles list`.",
    set: "Use `siteward profiles use`.",
    switch: "Use `siteward profiles use`.",
    select: "Use `siteward profiles use`.",
    add: addProfile,
    create: addProfile,
    rm: removeProfile,
    delete: removeProfile,
  },
};

/** Returns an entry that the record has itself: what people type can be `constructor`. */
function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
