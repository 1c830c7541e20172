/** A command of the CLI on files of a folder. */
interface Command {
  readonly title: string;
  readonly words: (folder: string) => readonly string[];
}

/** The list of domains to import, in the folder of the commands. */
export const domainsFile = "domains.txt";
const siteFile = "siteward.yaml";

/** In the order in which they run: each uses what those before it left. */
export const commands = {
  import: { title: "import of a list of domains", words: (folder) => ["import", `${folder}/${domainsFile}`] },
  export: { title: "export to a site file", words: (folder) => ["export", `${folder}/${siteFile}`] },
  plan: { title: "plan of that file", words: (folder) => ["plan", `${folder}/${siteFile}`] },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

// The type of the result of `keys` does not name them.
export const commandNames = Object.keys(commands) as CommandName[];
