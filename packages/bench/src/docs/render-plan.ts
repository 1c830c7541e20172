import { formatCount } from "../format.ts";
import type { Figures } from "./figures.ts";
import { markdownTable } from "./markdown-table.ts";
import { type Demand, plan } from "./plan.ts";

/** Each account has 10,000 websites, sends one read per second, and creates one website in 100 seconds. */
const demands: readonly Demand[] = [100, 1_000, 10_000].map((accounts) => ({
  accounts,
  websites: accounts * 10_000,
  readsPerSecond: accounts,
  createsPerSecond: accounts / 100,
}));

const gibibyte = 1024 ** 3;

/** Renders what installations of growing size need. */
export function renderPlan(figures: Figures): string {
  return markdownTable(
    [
      "Websites",
      "accounts",
      "reads/s",
      "creates/s",
      "SQLite GiB",
      "PostgreSQL GiB",
      "server cores",
      "PostgreSQL cores",
    ],
    demands.map((demand) => {
      const { diskBytes, serverCores, databaseCores } = plan(figures, demand);
      return [
        formatCount(demand.websites),
        ...[demand.accounts, demand.readsPerSecond, demand.createsPerSecond].map(formatCount),
        (diskBytes.sqlite / gibibyte).toFixed(1),
        (diskBytes.postgres / gibibyte).toFixed(1),
        ...[serverCores, databaseCores].map(formatCount),
      ];
    }),
  );
}
