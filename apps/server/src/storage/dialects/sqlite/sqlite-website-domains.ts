import { type RawBuilder, sql } from "kysely";
import type { WebsiteMatch } from "../../tables/website-match.ts";

/** How to compare domains with a term in their order. Only an index is read. */
interface DomainScan {
  /** The condition for the websites that can match. */
  readonly candidates: RawBuilder<unknown>;
  /** What to read of each website. */
  readonly columns: RawBuilder<unknown>;
  /** The condition that a website matches. It is called `listed`. */
  readonly isMatch: RawBuilder<unknown>;
}

/** Only websites with a Unicode form can contain a term that is not ASCII. They have an index of their own. */
export function scanDomains({ accountId, term, columns: [first, other] }: WebsiteMatch): DomainScan {
  if (first === "unicode_domain") {
    return {
      candidates: sql`account_id = ${accountId} and unicode_domain is not null`,
      columns: sql`domain, unicode_domain`,
      isMatch: sql`instr(listed.unicode_domain, ${term}) > 0`,
    };
  }
  const isInDomain = sql`instr(listed.domain, ${term}) > 0`;
  return {
    candidates: sql`account_id = ${accountId}`,
    columns: sql`domain`,
    isMatch: other === undefined ? isInDomain : sql`(${isInDomain} or ${isInUnicode(accountId, term)})`,
  };
}

/** The index of all domains does not contain Unicode forms, so each is looked up. */
function isInUnicode(accountId: number, term: string): RawBuilder<unknown> {
  return sql`instr(listed.domain, 'xn--') > 0 and instr((
    select unicode_domain from websites
    where account_id = ${accountId} and domain = listed.domain and unicode_domain is not null
  ), ${term}) > 0`;
}
