import { type MigrationVersions, planMigration } from "../../../src/storage/migrations/plan-migration.ts";

/** What `migrate` would do to a database. */
interface MigrationPlan extends MigrationVersions {
  readonly steps: readonly MigrationStep[];
}

interface MigrationStep {
  readonly title: string;
  readonly statements: string[];
}

/** Returns what `planMigration` tells. */
export async function collectPlan(
  options: Parameters<typeof planMigration>[0],
  migrations: Parameters<typeof planMigration>[1],
): Promise<MigrationPlan> {
  const steps: MigrationStep[] = [];
  let versions = { from: 0, to: 0 };
  await planMigration(options, migrations, {
    async onStart(started) {
      versions = started;
    },
    async onStep(title) {
      steps.push({ title, statements: [] });
    },
    async onStatement(statement) {
      steps.at(-1)?.statements.push(statement);
    },
  });
  return { ...versions, steps };
}
