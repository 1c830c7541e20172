import type { AnyCommand } from "./command.ts";

/** What the program knows of a command before it loads its file. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads the file of the command. Called only when the command or its help is called. */
  readonly load: () => Promise<{ readonly command: AnyCommand }>;
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
    entry("list", "list the stored profiles", profileCommand("profilesList"), "ls"),
    entry("use", "choose the profile that commands use", profileCommand("profilesUse")),
    entry("remove", "remove a profile with its API key", profileCommand("profilesRemove"), "rm"),
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
    entry("list", "list websites", () => import("./websites-list.ts"), "ls"),
    entry("get", "show a website", () => import("./websites-get.ts"), "show"),
    entry("create", "create websites", () => import("./websites-create.ts"), "add"),
    entry("update", "change the settings of websites", () => import("./websites-update.ts"), "edit"),
    entry("delete", "delete websites", () => import("./websites-delete.ts"), "rm"),
    entry("check", "say whether a visit is counted, and why not", () => import("./websites-check.ts")),
  ],
};

/** Every command and group, in the order in which the help lists them. */
export const commands: readonly (CommandEntry | GroupEntry)[] = [
  entry("login", "verify and store an API key", () => import("./login.ts")),
  entry("logout", "remove a stored API key", profileCommand("logout")),
  profiles,
  entry("account", "show the account that the API key belongs to", () => import("./account.ts")),
  websites,
  entry("export", "export all websites to a file", () => import("./export.ts")),
  entry("import", "create websites from a file", () => import("./import.ts")),
  entry("check", "check a site file without connecting to the service", () => import("./check.ts")),
  entry("plan", "show what a site file would change", () => import("./plan.ts")),
  entry("apply", "change the account to match a site file", () => import("./apply.ts")),
  entry("schema", "print the JSON Schema of site files", () => import("./schema.ts")),
  entry("api", "send any request to the service", () => import("./api.ts")),
  entry("completion", "print the completion script of a shell", () => import("./completion.ts")),
];

function entry(name: string, summary: string, load: CommandEntry["load"], alias?: string): CommandEntry {
  return { name, summary, load, alias };
}

function profileCommand(name: keyof typeof import("./profiles.ts")): CommandEntry["load"] {
  return async () => ({ command: (await import("./profiles.ts"))[name] });
}
