import type { AnyCommand } from "./command.ts";

/** What the program knows of a command before it loads its file. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads the file of the command. Called only when the command or its help is called. */
  readonly load: () => Promise<AnyCommand>;
  /** Another name, as other tools call it. */
  readonly alias?: string | undefined;
}

/** Commands that share their first word. */
export interface GroupEntry {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly commands: readonly CommandEntry[];
}

const profiles: GroupEntry = {
  name: "profiles",
  summary: "choose between stored API keys",
  examples: ["siteward profiles list", "siteward profiles use work"],
  commands: [
    entry("list", "list the stored profiles", async () => (await import("./profiles.ts")).profilesList, "ls"),
    entry("use", "choose the profile that commands use", async () => (await import("./profiles.ts")).profilesUse),
    entry(
      "remove",
      "remove a profile with its API key",
      async () => (await import("./profiles.ts")).profilesRemove,
      "rm",
    ),
  ],
};

const websites: GroupEntry = {
  name: "websites",
  summary: "manage websites",
  examples: [
    "siteward websites list --search example",
    "siteward websites create example.com",
    "siteward websites update example.com --privacy private",
  ],
  commands: [
    entry("list", "list websites", async () => (await import("./websites-list.ts")).websitesList, "ls"),
    entry("get", "show a website", async () => (await import("./websites-get.ts")).websitesGet, "show"),
    entry("create", "create websites", async () => (await import("./websites-create.ts")).websitesCreate, "add"),
    entry(
      "update",
      "change the settings of websites",
      async () => (await import("./websites-update.ts")).websitesUpdate,
      "edit",
    ),
    entry("delete", "delete websites", async () => (await import("./websites-delete.ts")).websitesDelete, "rm"),
    entry(
      "check",
      "say whether a visit is counted, and why not",
      async () => (await import("./websites-check.ts")).websitesCheck,
    ),
  ],
};

/** Every command and group, in the order in which the help lists them. */
export const commands: readonly (CommandEntry | GroupEntry)[] = [
  entry("login", "verify and store an API key", async () => (await import("./login.ts")).login),
  entry("logout", "remove a stored API key", async () => (await import("./profiles.ts")).logout),
  profiles,
  entry("account", "show the account that the API key belongs to", async () => (await import("./account.ts")).account),
  websites,
  entry("export", "export all websites to a file", async () => (await import("./export.ts")).exportWebsites),
  entry("import", "create websites from a file", async () => (await import("./import.ts")).importWebsites),
  entry("check", "check a site file without connecting to the service", async () => (await import("./check.ts")).check),
  entry("plan", "show what a site file would change", async () => (await import("./plan.ts")).plan),
  entry("apply", "change the account to match a site file", async () => (await import("./apply.ts")).apply),
  entry("schema", "print the JSON Schema of site files", async () => (await import("./schema.ts")).schema),
  entry("api", "send any request to the service", async () => (await import("./api.ts")).api),
  entry(
    "completion",
    "print the completion script of a shell",
    async () => (await import("./completion.ts")).completion,
  ),
];

function entry(name: string, summary: string, load: CommandEntry["load"], alias?: string): CommandEntry {
  return { name, summary, load, alias };
}
