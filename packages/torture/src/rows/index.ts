import type { Row } from "../row.ts";
import { ioFaults } from "./io-faults.ts";
import { killNine } from "./kill-nine.ts";

/** Every row by its name, in the order they run. */
export const rows = {
  "kill-nine": killNine,
  "io-faults": ioFaults,
} as const satisfies Record<string, Row>;

export type RowName = keyof typeof rows;
