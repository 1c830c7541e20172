import { Command, CommanderError } from "commander";
import { examples } from "./commands/command-setup.ts";
import { type CommandEntry, commands, type Group, groups } from "./commands/registry.ts";
import { addGlobalFlags } from "./flags/global-flags.ts";
import type { View } from "./output/view.ts";
import { type Io, withBoldTitles, writeText } from "./process/io.ts";
import { version } from "./process/version.ts";

/** The commander program, and what it recorded during its run. */
export interface Program {
  /** @throws CommanderError on wrong usage, WriteError, and whatever the command throws */
  readonly run: (argv: readonly string[]) => Promise<void>;
  /** Returns the help that commander printed because no command was given. */
  readonly missingCommandHelp: () => string;
  /** Returns the words of the command that was called, for messages. */
  readonly calledWords: () => string;
  /** The tree of the commands. A command has its flags and arguments once it is loaded. */
  readonly root: Command;
  /** Loads the file of a command. Returns how its records are shown; undefined if it prints none. */
  readonly load: (command: Command) => Promise<View | undefined>;
  /** Returns the help of all commands, by their words without the name of the program. */
  readonly helpPages: () => Promise<Readonly<Record<string, string>>>;
}

/** Builds the program. A command's file is loaded only when the command or its help is called. */
export function createProgram(io: Io): Program {
  let help = "";
  let printed = "";
  const root = new Command("siteward")
    .description("Manage the websites you track with Siteward.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .exitOverride()
    // Not the terms of commander: it knows the arguments of a command only once its file is loaded.
    .configureHelp({ showGlobalOptions: true, helpWidth: 80, subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => {
        printed += text;
      },
      writeErr: (text) => {
        help += text;
      },
      // main reports it, with every other error.
      outputError: () => undefined,
    })
    .addHelpText("after", `\n${rootHelp}\n${examples(rootExamples)}`);
  let called: Command = root;
  addGlobalFlags(root);
  const follow = (_parent: Command, child: Command): void => {
    called = child;
  };
  root.hook("preSubcommand", follow);
  const loaders = new Map(commands.map((entry) => addCommand(root, entry, io)));
  const load = async (command: Command): Promise<View | undefined> => await loaders.get(command)?.();
  for (const group of root.commands.filter((child) => child.commands.length > 0)) group.hook("preSubcommand", follow);
  return {
    run: async (argv) => {
      try {
        await root.parseAsync(rewriteHelp(argv), { from: "user" });
      } catch (error) {
        if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
        if (error.code === "commander.helpDisplayed") await refuseUnknown(root, called);
        await writeText(io.stdout, withBoldTitles(printed, io.stdout, io.env));
      }
    },
    missingCommandHelp: () => withBoldTitles(help, io.stderr, io.env),
    calledWords: () => words(called),
    root,
    load,
    helpPages: async () => {
      for (const command of loaders.keys()) await load(command);
      const pages = listCommands(root).map((command) => {
        printed = "";
        command.outputHelp();
        return [namesBelow(command), printed];
      });
      return Object.fromEntries(pages);
    },
  };
}

const rootHelp = `\
Settings: flags override SITEWARD_API_KEY, SITEWARD_BASE_URL and
SITEWARD_PROFILE, which override the profile.

Results go to stdout, as a table on a terminal and as JSON elsewhere. Everything
else goes to stderr.

Exit codes: 0 success, 1 service or network failure, 2 wrong usage or rejected
input, 3 not found, 4 not authenticated or not allowed, 5 conflict, 6 rate
limited (HTTP 429), 7 partly done: some of the work failed, 8 service or network
failure in websites check, 130 interrupted.`;

const rootExamples = [
  "siteward login",
  "siteward websites list",
  "siteward websites create example.com --exclude-params 'utm_*'",
  "siteward websites list --all --output csv > websites.csv",
];

/** Declares a command, and returns it with the function that loads its file. */
function addCommand(root: Command, entry: CommandEntry, io: Io): [Command, () => Promise<View | undefined>] {
  const [parent, name] =
    entry.words.length === 1 ? [root, entry.words[0]] : [findOrAddGroup(root, entry.words[0]), entry.words[1]];
  const command = withSummary(parent.command(name), entry.summary);
  if (entry.alias !== undefined) command.alias(entry.alias);
  const load = async () => (await entry.load())(command, io);
  parent.hook("preSubcommand", async (_parent, child) => {
    if (child === command) await load();
  });
  return [command, load];
}

function findOrAddGroup(root: Command, name: Group): Command {
  const known = root.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const { summary, examples: lines } = groups[name];
  return withSummary(root.command(name), summary).helpCommand(false).addHelpText("after", examples(lines));
}

/** Its own help says what a command does as a sentence. */
function withSummary(command: Command, summary: string): Command {
  return command.summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
}

/**
 * Turns `help a b`, and `a help b` for a group, into `a b --help`. Commander's own help command would not load the
 * command's file.
 */
function rewriteHelp(argv: readonly string[]): readonly string[] {
  const [first = "", second] = argv;
  if (first === "help") return [...argv.slice(1), "--help"];
  return second === "help" && Object.hasOwn(groups, first) ? [first, ...argv.slice(2), "--help"] : argv;
}

/**
 * Parses `a b` if `a b --help` printed the help of the group `a`, because it has no command `b`.
 *
 * @throws CommanderError about the unknown command
 */
async function refuseUnknown(root: Command, group: Command): Promise<void> {
  const [word] = group.args;
  if (group.commands.length === 0 || word === undefined || word.startsWith("-")) return;
  await root.parseAsync([...namesBelow(group).split(" "), word].filter(Boolean), { from: "user" });
}

function listCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(listCommands)];
}

/** Returns the words of a command without the name of the program. */
function namesBelow(command: Command): string {
  return words(command).split(" ").slice(1).join(" ");
}

function words(command: Command): string {
  return command.parent === null ? command.name() : `${words(command.parent)} ${command.name()}`;
}
