import type { Siteward } from "@siteward/sdk";
import type { FakeSiteward } from "@siteward/sdk/testing";
import type { RunningProcess } from "@siteward/testing/start-process";
import { test as base } from "vitest";
import { openTerminal, type Terminal, type TerminalInput } from "./open-terminal.ts";
import { createOtherProgram } from "./other-program.ts";
import type { IoInput } from "./recorded-io.ts";
import { type CommandLine, type RunResult, runCli, showCli, type Transcript } from "./run-cli.ts";
import { type ServedFake, serveFake } from "./serve-fake.ts";
import { type ProcessInput, startCli } from "./start-cli.ts";
import { createTemporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";

/** The CLI with an empty account of the SDK's double, over HTTP. All of it ends with the test. */
interface Cli {
  readonly fake: FakeSiteward;
  /** The settings with which the CLI uses the account. */
  readonly env: ServedFake["env"];
  readonly url: string;
  /** Another program, which changes the websites. */
  readonly other: Siteward;
  /** Creates a website of each domain, as another program does. Their IDs count from 1. */
  readonly add: (...domains: readonly string[]) => Promise<void>;
  /** The requests that change something, such as `POST /api/v1/websites`. */
  readonly writes: () => readonly string[];
  /** Runs the CLI within the test. */
  readonly run: (commandLine: CommandLine, input?: Omit<IoInput, "columns">) => Promise<RunResult>;
  /** Runs the CLI within the test, in a terminal that nobody types in. */
  readonly show: (commandLine: CommandLine, input?: IoInput) => Promise<Transcript>;
  /** Starts the built CLI as a process. */
  readonly start: (commandLine: CommandLine, input?: ProcessInput) => RunningProcess;
  /** Starts the built CLI in a real terminal. */
  readonly open: (commandLine: CommandLine, input?: TerminalInput) => Terminal;
}

/** A test of the CLI. */
export const test = base.extend<{ readonly cli: Cli; readonly folder: TemporaryFolder }>({
  cli: async ({ task: _ }, use) => {
    await using served = await serveFake();
    await use(openCli(served));
  },
  folder: async ({ task: _ }, use) => {
    await using folder = await createTemporaryFolder();
    await use(folder);
  },
});

/** Returns the CLI as it is used with a served account. */
export function openCli({ fake, env, url }: ServedFake): Cli {
  const withEnv = <Input extends { readonly env?: object }>(input?: Input) => ({
    ...input,
    env: { ...env, ...input?.env },
  });
  const other = createOtherProgram(fake);
  return {
    fake,
    env,
    url,
    other,
    add: async (...domains) => {
      for (const domain of domains) await other.websites.create({ domain });
    },
    writes: () => fake.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`),
    run: (commandLine, input) => runCli(commandLine, withEnv(input)),
    show: (commandLine, input) => showCli(commandLine, withEnv(input)),
    start: (commandLine, input) => startCli(commandLine, withEnv(input)),
    open: (commandLine, input) => openTerminal(commandLine, withEnv(input)),
  };
}
