import { type Command, CommanderError } from "commander";
import { examples } from "./commands/command-setup.ts";
import { type CommandEntry, commands, type Group, groups } from "./commands/registry.ts";
import { addGlobalFlags } from "./flags/global-flags.ts";
import { CommandWithHelp } from "./help/command-with-help.ts";
import type { HelpPages } from "./help/help-page.ts";
import { type Io, writeText } from "./process/io.ts";
import { version } from "./process/version.ts";

/** The commander program, and what it recorded during its run. */
export interface Program {
  /** @throws CommanderError on wrong usage, WriteError, and whatever the command throws */
  readonly run: (argv: readonly string[]) => Promise<void>;
  /** Returns the help that commander printed because no command was given. */
  readonly missingCommandHelp: () => string;
  /** Returns the words of the command that was called, for messages. */
  readonly calledWords: () => string;
  /** Returns the help of all commands. It loads them all, so the program cannot run any more. */
  readonly describe: () => Promise<HelpPages>;
}

/** Builds the program. A command's file is loaded only when the command or its help is called. */
export function createProgram(io: Io): Program {
  let help = "";
  let printed = "";
  const root = new CommandWithHelp("siteward", io)
    .description("Manage the websites you track with Siteward.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
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
  const loaders = commands.map((entry) => addCommand(root, entry, io));
  for (const group of root.commands.filter((child) => child.commands.length > 0)) group.hook("preSubcommand", follow);
  return {
    run: async (argv) => {
      try {
        await root.parseAsync(rewriteHelp(argv), { from: "user" });
      } catch (error) {
        if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
        if (error.code === "commander.helpDisplayed") await refuseUnknown(root, called);
        await writeText(io.stdout, printed);
      }
    },
    missingCommandHelp: () => help,
    calledWords: () => words(called),
    describe: async () => {
      for (const load of loaders) await load();
      return Object.fromEntries(listCommands(root).map((command) => [namesBelow(command), command.describe()]));
    },
  };
}

const rootHelp = `\
Settings: flags override SITEWARD_API_KEY, SITEWARD_BASE_URL and SITEWARD_PROFILE, which override the profile.

Results go to stdout, as a table on a terminal and as JSON elsewhere. Everything else goes to stderr.

Exit codes: 0 success, 1 service or network failure, 2 wrong usage or rejected input, 3 not found,
4 not authenticated or not allowed, 5 conflict, 6 rate limited (HTTP 429),
7 partly done: some of the work failed, 8 service or network failure in websites check, 130 interrupted.`;

const rootExamples = [
  "siteward login",
  "siteward websites list",
  "siteward websites create example.com --exclude-params 'utm_*'",
  "siteward websites list --all --output csv > websites.csv",
];

/** Declares a command, and returns the function that loads its file. */
function addCommand(root: Command, entry: CommandEntry, io: Io): () => Promise<void> {
  const [parent, name] =
    entry.words.length === 1 ? [root, entry.words[0]] : [findOrAddGroup(root, entry.words[0]), entry.words[1]];
  const command = parent.command(name).description(entry.summary);
  const load = async () => (await entry.load())(command, io);
  parent.hook("preSubcommand", (_parent, child) => (child === command ? load() : undefined));
  return load;
}

function findOrAddGroup(root: Command, name: Group): Command {
  const known = root.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const { summary, examples: lines } = groups[name];
  return root.command(name).description(summary).helpCommand(false).addHelpText("after", examples(lines));
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

function listCommands(command: CommandWithHelp): readonly CommandWithHelp[] {
  return [command, ...command.commands.flatMap(listCommands)];
}

/** Returns the words of a command without the name of the program. */
function namesBelow(command: Command): string {
  return words(command).split(" ").slice(1).join(" ");
}

function words(command: Command): string {
  return command.parent === null ? command.name() : `${words(command.parent)} ${command.name()}`;
}
