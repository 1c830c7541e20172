import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** How an example ended, and what it printed. */
export interface ExampleRun {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program of `examples` in a folder. */
export function runExample(
  [name, ...words]: readonly [string, ...string[]],
  settings: Readonly<Record<string, string>>,
  folder?: string,
): Promise<ExampleRun> {
  const program = fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));
  const env = { ...process.env, NO_COLOR: "1", ...settings };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...words], { cwd: folder, env }, (_error, output, errors) => {
      resolve({ status: child.exitCode ?? -1, output, errors });
    });
  });
}
