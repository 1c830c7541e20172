import { printTable } from "../../../../scripts/print-table.ts";
import { formatCount, formatOverhead } from "../format.ts";
import { calls } from "./calls.ts";
import type { SdkFigure } from "./measure-sdk.ts";

/** Prints both callers of one call, at each server. */
export function printSdk(figures: readonly SdkFigure[]): void {
  const [first] = figures;
  if (first === undefined) return;
  console.log(`\n${calls[first.call].title}`);
  printTable(
    ["Server", "fetch CPU µs", "SDK CPU µs", "overhead", "fetch µs", "SDK µs", "overhead"],
    figures.map(({ server, bare, sdk, ratio }) => [
      server,
      formatCount(bare.cpuMicroseconds),
      formatCount(sdk.cpuMicroseconds),
      formatOverhead(ratio.cpuMicroseconds),
      formatCount(bare.wallMicroseconds),
      formatCount(sdk.wallMicroseconds),
      formatOverhead(ratio.wallMicroseconds),
    ]),
  );
}
