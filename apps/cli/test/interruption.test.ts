import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { keys, startFakeService } from "./support/fake-service.ts";
import { binPath, cleanEnvironment } from "./support/run-cli.ts";

const programPath = fileURLToPath(new URL("./support/interruptible-program.ts", import.meta.url));

/** Starts the program. `waitFor` waits until it has printed a line. */
function startProgram() {
  const child = spawn(process.execPath, [programPath], {
    env: cleanEnvironment({}),
    stdio: ["pipe", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    printed += text;
  });
  const waitFor = async (line: string): Promise<void> => {
    while (!printed.includes(`${line}\n`)) await once(child.stdout, "data");
  };
  return { child, waitFor, [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

const signals = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

describe.each(signals)("%s to a command that has taken over", (signal, exitCode) => {
  test("lets it finish and continue", async () => {
    using program = startProgram();
    await program.waitFor("first task: started");
    program.child.kill(signal);
    await program.waitFor("first task: finishing");
    program.child.stdin.write("\n");
    await program.waitFor("first task: interrupted");
    await program.waitFor("second task: started");
    program.child.stdin.write("\n");
    await program.waitFor("second task: done");
  });

  test(`ends it with ${exitCode} the second time`, async () => {
    using program = startProgram();
    await program.waitFor("first task: started");
    program.child.kill(signal);
    await program.waitFor("first task: finishing");
    program.child.kill(signal);
    expect(await once(program.child, "close")).toEqual([exitCode, null]);
  });
});

test.each([
  ["SIGHUP", [null, "SIGHUP"]],
  ["SIGINT", [130, null]],
  ["SIGTERM", [null, "SIGTERM"]],
] as const)("%s ends a command that has not taken over", async (signal, end) => {
  await using service = await startFakeService();
  service.answerNext("none");
  const env = cleanEnvironment({ SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl });
  const child = spawn(process.execPath, [binPath, "account"], { env });
  while (service.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill(signal);
  expect(await once(child, "close")).toEqual(end);
});

test.each([
  ["SIGHUP", [null, "SIGHUP"]],
  ["SIGINT", [130, null]],
  ["SIGTERM", [null, "SIGTERM"]],
] as const)("%s ends a command after its takeover", async (signal, end) => {
  using program = startProgram();
  await program.waitFor("first task: started");
  program.child.stdin.write("\n");
  await program.waitFor("second task: started");
  program.child.stdin.write("\n");
  await program.waitFor("waiting");
  program.child.kill(signal);
  expect(await once(program.child, "close")).toEqual(end);
});
