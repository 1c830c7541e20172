import type { Database } from "../engines/database.ts";
import type { Random } from "../random.ts";

/** What happens to an entry. A field has the same name in every form in which an entry is stored. */
const sabotages = {
  lost: "delete from audit_entries",
  changed: `update audit_entries set changes = replace(changes, '"exclude_params"', '"exclude_ips"')`,
} as const satisfies Record<string, string>;

/** Loses or changes the newest entry about a setting of a website in the audit trail of an account, without the server. */
export async function breakTrail(
  database: Pick<Database, "query">,
  { random, accountId }: { readonly random: Random; readonly accountId: number },
): Promise<void> {
  const ofAccount = `account_id = ${accountId} and subject = 'website' and action <> 'website.deleted'`;
  const [newest] = await database.query(
    `select at, subject_id, version from audit_entries where ${ofAccount} and exists (select 1 from websites ` +
      `where websites.account_id = ${accountId} and websites.id = subject_id) order by at desc, subject_id desc limit 1`,
  );
  if (newest === undefined) throw new Error(`The trail of account ${accountId} has no entry about a website.`);
  const key = ["at", "subject_id", "version"].map((column) => `${column} = ${Number(newest[column])}`);
  await database.query(`${random.pick(Object.values(sabotages))} where ${ofAccount} and ${key.join(" and ")}`);
}
