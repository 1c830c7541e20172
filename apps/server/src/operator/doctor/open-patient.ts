import { examineConfig, type SettingName } from "../../config.ts";
import { inspectDatabase } from "../../storage/inspect/inspect-database.ts";
import type { DatabaseContents, DatabaseInspection } from "../../storage/interface/inspection.ts";
import { databaseSetting, replicaSetting } from "../database/open-operator-storage.ts";
import type { CommandContext } from "../io/command-context.ts";
import type { Patient } from "./check.ts";
import { minUnusedDays } from "./checks/unused-keys.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Reads the settings, and prepares to look at the database, which is opened when a check needs it. */
export function openPatient(
  { environment, runtime }: Pick<CommandContext, "environment" | "runtime">,
  flags: Partial<Record<SettingName, string>>,
  now: () => number,
): Patient & { close(): Promise<void> } {
  const { config, errors } = examineConfig(environment, flags);
  let inspection: Promise<DatabaseInspection> | undefined;
  let contents: Promise<DatabaseContents> | undefined;
  const inspect = () => {
    inspection ??= inspectDatabase({
      database: { databaseUrl: config.databaseUrl, setting: databaseSetting },
      replicas: config.databaseReplicaUrls.map((databaseUrl) => ({ databaseUrl, setting: replicaSetting })),
      now,
      minUnusedMs: minUnusedDays * dayMs,
    });
    return inspection;
  };
  return {
    environment,
    runtime,
    config,
    errors,
    now,
    inspection: inspect,
    contents() {
      contents ??= inspect().then((opened) => opened.read());
      return contents;
    },
    async close() {
      await (await inspection?.catch(() => undefined))?.close();
    },
  };
}
