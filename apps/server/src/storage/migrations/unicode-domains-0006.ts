import { sql } from "kysely";
import type { DialectDefinitions, IndexedWebsite, ReadConnection, WriteConnection } from "../database/database.ts";
import { unicodeDomain } from "../tables/unicode-domain.ts";
import type { Migration } from "./migration.ts";

/** Stores the Unicode form of domains, so that a part of it can be searched for. */
export const unicodeDomains: Migration = {
  version: 6,
  name: "unicode-domains",
  async up(transaction, definitions) {
    const { schema } = transaction.build;
    await transaction.write(schema.alterTable("websites").addColumn("unicode_domain", definitions.text));
    await fillColumn(transaction, definitions);
    await transaction.write(
      schema
        .createIndex("websites_unicode_domains")
        .on("websites")
        .columns(["account_id", "domain", "unicode_domain"])
        .where(sql.ref("unicode_domain"), "is not", null),
    );
    await definitions.createUnicodeSearch(transaction);
  },
};

/** The indexes of the column do not exist yet: a database creates them faster than it changes them. */
async function fillColumn(transaction: WriteConnection, definitions: DialectDefinitions): Promise<void> {
  let websites = await readNext(transaction, { accountId: 0, id: 0 });
  for (let last = websites.at(-1); last !== undefined; last = websites.at(-1)) {
    const changed = websites.filter((website) => website.unicodeDomain !== null);
    if (changed.length > 0) {
      await store(transaction, changed);
      await definitions.addUnicodeForms(transaction, changed);
    }
    websites = await readNext(transaction, last);
  }
}

/** The next statement compares each website with all others in it. */
const chunkRows = 200;

/** Reads only what exists before the migration, as a plan needs it. */
async function readNext(
  { build, read }: ReadConnection,
  after: Pick<IndexedWebsite, "accountId" | "id">,
): Promise<readonly IndexedWebsite[]> {
  const websites = await read(
    build
      .selectFrom("websites")
      .select(["account_id as accountId", "id", "domain"])
      .where(({ eb, refTuple, tuple }) => eb(refTuple("account_id", "id"), ">", tuple(after.accountId, after.id)))
      .where("domain", "like", "%xn--%")
      .orderBy("account_id")
      .orderBy("id")
      .limit(sql.lit(chunkRows)),
  );
  return websites.map((website) => ({ ...website, unicodeDomain: unicodeDomain(website.domain) }));
}

/**
 * A statement for each account, which a distributed database runs on the node of the account. Citus 13 sends `case id when 1` to its
 * workers in a form that they do not accept.
 */
async function store({ build, write }: WriteConnection, websites: readonly IndexedWebsite[]): Promise<void> {
  for (const [accountId, own] of Map.groupBy(websites, (website) => website.accountId)) {
    const forms = own.map((website) => sql`when id = ${website.id} then ${website.unicodeDomain}`);
    const update = build.updateTable("websites").set({ unicode_domain: sql`case ${sql.join(forms, sql` `)} end` });
    const ids = own.map(({ id }) => id);
    await write(update.where("account_id", "=", accountId).where("id", "in", ids));
  }
}
