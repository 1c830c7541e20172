import type { Siteward } from "@siteward/sdk";
import type { CommandSetup } from "./command-setup.ts";

/** What the program knows of a command before it loads its file. */
export interface CommandEntry {
  /** The words that call the command. */
  readonly words: readonly [string] | readonly [group: Group, verb: string];
  /** Another name of the last word, as other tools call it. */
  readonly alias?: string;
  readonly summary: string;
  /** Loads the file of the command. Called only when the command or its help is called. */
  readonly load: () => Promise<CommandSetup>;
}

/** Methods of the SDK that combine other operations, for programs. */
type Combination = "getByDomain" | "upsert";

/** The resources of the SDK, without methods of the client, such as `withOptions`. */
type Resources = Omit<Siteward, "baseUrl" | "keyPrefix" | "request" | "withOptions">;

/** One command for each operation of the SDK. An operation without a command does not compile. */
export type OperationCommands = {
  readonly [Name in keyof Resources]: {
    readonly [Method in keyof Siteward[Name] as Siteward[Name][Method] extends (...input: never[]) => unknown
      ? Exclude<Method, Combination>
      : never]: CommandEntry;
  };
};

/** The commands that call the service, under the SDK's names for the operations. */
export const operationCommands = {
  account: {
    get: {
      words: ["account"],
      summary: "show the account that the API key belongs to",
      load: async () => (await import("./account-get.ts")).accountGet,
    },
  },
  websites: {
    list: {
      words: ["websites", "list"],
      alias: "ls",
      summary: "list websites",
      load: async () => (await import("./websites-list.ts")).websitesList,
    },
    get: {
      words: ["websites", "get"],
      alias: "show",
      summary: "show a website",
      load: async () => (await import("./websites-get.ts")).websitesGet,
    },
    create: {
      words: ["websites", "create"],
      alias: "add",
      summary: "create websites",
      load: async () => (await import("./websites-create.ts")).websitesCreate,
    },
    update: {
      words: ["websites", "update"],
      alias: "edit",
      summary: "change the settings of a website",
      load: async () => (await import("./websites-update.ts")).websitesUpdate,
    },
    delete: {
      words: ["websites", "delete"],
      alias: "rm",
      summary: "delete websites",
      load: async () => (await import("./websites-delete.ts")).websitesDelete,
    },
  },
} as const satisfies OperationCommands;

/** Every command, in the order in which the help lists them. */
export const commands: readonly CommandEntry[] = [
  {
    words: ["login"],
    summary: "verify and store an API key",
    load: async () => (await import("./login.ts")).login,
  },
  {
    words: ["logout"],
    summary: "remove a stored API key",
    load: async () => (await import("./logout.ts")).logout,
  },
  {
    words: ["profiles", "list"],
    alias: "ls",
    summary: "list the stored profiles",
    load: async () => (await import("./profiles.ts")).profilesList,
  },
  {
    words: ["profiles", "use"],
    summary: "choose the profile that commands use",
    load: async () => (await import("./profiles.ts")).profilesUse,
  },
  {
    words: ["profiles", "remove"],
    alias: "rm",
    summary: "remove a profile with its API key",
    load: async () => (await import("./profiles.ts")).profilesRemove,
  },
  ...Object.values(operationCommands).flatMap((group): readonly CommandEntry[] => Object.values(group)),
  {
    words: ["websites", "check"],
    summary: "say whether a visit is counted, and why not",
    load: async () => (await import("./websites-check.ts")).websitesCheck,
  },
  {
    words: ["export"],
    summary: "export all websites to a file",
    load: async () => (await import("./export.ts")).exportWebsites,
  },
  {
    words: ["import"],
    summary: "create websites from a file",
    load: async () => (await import("./import.ts")).importWebsites,
  },
  {
    words: ["check"],
    summary: "check a site file without connecting to the service",
    load: async () => (await import("./check.ts")).check,
  },
  {
    words: ["plan"],
    summary: "show what a site file would change",
    load: async () => (await import("./plan.ts")).plan,
  },
  {
    words: ["apply"],
    summary: "change the account to match a site file",
    load: async () => (await import("./apply.ts")).apply,
  },
  {
    words: ["schema"],
    summary: "print the JSON Schema of site files",
    load: async () => (await import("./schema.ts")).schema,
  },
  {
    words: ["api"],
    summary: "send any request to the service",
    load: async () => (await import("./api.ts")).api,
  },
  {
    words: ["completion"],
    summary: "print the completion script of a shell",
    load: async () => (await import("./completion.ts")).completion,
  },
];

/** What the help of a group of commands says. */
interface GroupEntry {
  readonly summary: string;
  readonly examples: readonly string[];
}

/** Every group of commands. A command in a group that is not here does not compile. */
export const groups = {
  profiles: {
    summary: "choose between stored API keys",
    examples: ["siteward profiles list", "siteward profiles use work"],
  },
  websites: {
    summary: "manage websites",
    examples: [
      "siteward websites list --search example",
      "siteward websites create example.com",
      "siteward websites update example.com --privacy private",
    ],
  },
} as const satisfies Record<string, GroupEntry>;

/** The first word of the commands that share it. */
export type Group = keyof typeof groups;
