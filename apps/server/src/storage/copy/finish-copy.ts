import { removeMark } from "./copy-mark.ts";
import type { Copying } from "./copying.ts";

/** Says of each version when the source came to it, and makes the destination one that the program takes. */
export async function finishCopy(copying: Copying): Promise<void> {
  const versions = await copying.source.selectFrom("schema_migrations").selectAll().where("version", ">", 0).execute();
  await copying.change(async (transaction) => {
    for (const { version, ...record } of versions) {
      await transaction.updateTable("schema_migrations").set(record).where("version", "=", version).execute();
    }
    await removeMark(transaction);
  });
}
