import type { Row } from "../row.ts";
import { descriptors } from "./descriptors.ts";
import { fullDisk } from "./full-disk.ts";
import { ioFaults } from "./io-faults.ts";
import { killNine } from "./kill-nine.ts";
import { postgresOutage } from "./postgres-outage.ts";
import { powerLoss } from "./power-loss.ts";

/** Every row by its name, in the order they run. */
export const rows = {
  "kill-nine": killNine,
  "power-loss": powerLoss,
  "io-faults": ioFaults,
  "full-disk": fullDisk,
  descriptors,
  "postgres-outage": postgresOutage,
} as const satisfies Record<string, Row>;

export type RowName = keyof typeof rows;
