import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** The folder of the package, with its build in `dist`. */
export const packageRoot: string = dirname(dirname(import.meta.dirname));

/** A project of a user who installed the built package, and otherwise only the types of Node. */
export interface ConsumerProject extends AsyncDisposable {
  readonly path: string;
  /** Compiles a file of `test/consumer` under a name that decides its module format, and returns the compiler errors. */
  compile(source: string, file: string, options: CompileOptions): Promise<string>;
  /** Compiles these texts together, by the names of their files, and returns the compiler errors. */
  compileTexts(texts: Readonly<Record<string, string>>, options: CompileOptions): Promise<string>;
  /** Runs a script in plain Node, and returns what it printed. */
  run(type: "module" | "commonjs", script: string, ...args: readonly string[]): Promise<Printed>;
}

interface CompileOptions {
  readonly moduleResolution: "nodenext" | "bundler";
  readonly types: readonly string[];
  readonly lib: readonly string[];
}

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

export async function createConsumerProject(): Promise<ConsumerProject> {
  const project = await mkdtemp(join(tmpdir(), "siteward-sdk-"));
  const installed = join(project, "node_modules/@siteward/sdk");
  await cp(join(packageRoot, "dist"), join(installed, "dist"), { recursive: true });
  await cp(join(packageRoot, "package.json"), join(installed, "package.json"));
  await mkdir(join(project, "node_modules/@types"));
  await symlink(dirname(require.resolve("@types/node/package.json")), join(project, "node_modules/@types/node"));
  const self: ConsumerProject = {
    path: project,
    async compile(source, file, options) {
      const text = await readFile(join(packageRoot, "test/consumer", source), "utf8");
      return await self.compileTexts({ [file]: text }, options);
    },
    async compileTexts(texts, { moduleResolution, ...libraries }) {
      for (const [file, text] of Object.entries(texts)) await writeFile(join(project, file), text);
      const module = moduleResolution === "bundler" ? "esnext" : "nodenext";
      const compilerOptions = { ...libraries, module, moduleResolution, ...strictOptions };
      await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(texts) }));
      const compiler = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
      // The compiler prints its errors to stdout and exits with a failure.
      const failed = (error: { stdout: string }) => error;
      return (await run(process.execPath, [compiler, "-p", project]).catch(failed)).stdout;
    },
    run: (type, script, ...args) =>
      run(process.execPath, [`--input-type=${type}`, "-e", script, ...args], { cwd: project }),
    [Symbol.asyncDispose]: () => rm(project, { recursive: true }),
  };
  return self;
}

const strictOptions = {
  target: "es2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
};
