import { createInterruption } from "../../src/process/interruption.ts";

/**
 * Two tasks, as a command that takes over runs them, then a wait without a takeover. Each task ends when it receives a
 * line on stdin. Prints what happens.
 */
const interruption = createInterruption(process);

for (const task of ["first task", "second task"]) {
  using taken = interruption.takeOver();
  taken.signal.addEventListener("abort", () => print(`${task}: finishing`));
  print(`${task}: started`);
  await new Promise((resolve) => process.stdin.once("data", resolve));
  print(`${task}: ${taken.signal.aborted ? "interrupted" : "done"}`);
}
print("waiting");

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
