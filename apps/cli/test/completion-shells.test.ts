import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { build } from "tsdown";
import { beforeAll, describe, expect, test } from "vitest";
import config from "../tsdown.config.ts";
import { keys, startFakeService } from "./support/fake-service.ts";
import { type DrivenShell, openShell } from "./support/open-shell.ts";
import { createTemporaryFolder, type TemporaryFolder } from "./support/temporary-folder.ts";

const shells: readonly DrivenShell[] = ["bash", "zsh", "fish"];

/** Prints its arguments, each in angle brackets. A script that asks for completions gets the answer of this command. */
function echoingProgram(answer: string): string {
  return `#!/bin/sh
if [ "$1" = __complete ]; then ${answer}; exit; fi
printf '<%s>' "$@"
echo
`;
}

/** What Tab makes of a command line, in every shell. */
const completions: readonly (readonly [typed: string, run: string])[] = [
  ["siteward webs\tli\t--sor\t=a\t", "<websites><list><--sort=asc>"],
  ["siteward websites get exa\t", "<websites><get><example.com>"],
  ['siteward --profile wo\t websites get "exa\t', "<--profile><work><websites><get><example.com>"],
  ["siteward websites get bü\t", "<websites><get><bücher.example>"],
  ["siteward account --fields id,na\t,em\t", "<account><--fields><id,name,email>"],
  ["siteward account --api-key-file 'a f\t", "<account><--api-key-file><a file>"],
  ["siteward account --api-key-file=ke\t", "<account><--api-key-file=key.txt>"],
];

/** What would run a command in one of the shells if it were inserted as it is. */
const hostileTexts = [
  "x$(touch pwned)",
  "x`touch pwned`",
  "x;touch pwned",
  "x|touch pwned",
  "x>pwned",
  "x'\"(touch pwned)",
  "x\\$(touch pwned)",
  "x:$(touch pwned):*",
  "x%{$(touch pwned)%}{a,b}",
];

// Built, because shells wait for it and from its sources it loads every command.
let built: TemporaryFolder;
beforeAll(async () => {
  built = await createTemporaryFolder();
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  await build({ ...config, config: false, cwd, outDir: built.path, logLevel: "error" });
  return () => built[Symbol.asyncDispose]();
});

describe.each(shells)("%s", (shell) => {
  test.skipIf(lacksProgram(shell))(
    "completes commands, flags, values, fields, files, profiles and domains",
    async () => {
      await using folder = await createTemporaryFolder();
      await using service = await startFakeService(["example.com", "xn--bcher-kva.example", "other.example"]);
      const profile = { api_key: keys.full, base_url: service.baseUrl };
      await writeFile(
        join(folder.path, "profiles.json"),
        JSON.stringify({ profiles: { work: profile, default: profile } }),
        { mode: 0o600 },
      );
      for (const name of ["key.txt", "a file"]) await writeFile(join(folder.path, name), "");
      const siteward = echoingProgram(`${process.execPath} ${join(built.path, "bin.cjs")} "$@"`);
      using terminal = await openShell(shell, {
        folder: folder.path,
        siteward,
        env: { SITEWARD_CONFIG_DIR: folder.path },
      });
      for (const [typed, run] of completions) {
        terminal.type(`${typed}\r`);
        await terminal.waitFor(run);
      }
    },
  );

  test.skipIf(lacksProgram(shell))("inserts a hostile text as one argument, and runs nothing of it", async () => {
    await using folder = await createTemporaryFolder();
    const siteward = echoingProgram("cat answer");
    using terminal = await openShell(shell, { folder: folder.path, siteward });
    for (const text of hostileTexts) {
      await writeFile(
        join(folder.path, "answer"),
        `word\n${text}${shell === "bash" ? "" : "\t$(touch pwned) `touch pwned`"}\n`,
      );
      terminal.type("siteward x\t\r");
      await terminal.waitFor(`<${text}>`);
    }
    await expect(access(join(folder.path, "pwned"))).rejects.toThrow("ENOENT");
  });
});
