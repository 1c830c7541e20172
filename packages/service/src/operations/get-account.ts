import type { Account, Contract } from "@siteward/contract";
import { encodeBase64Url } from "../cursors.ts";
import { answerRead } from "./answer-read.ts";
import type { Operation, Principal } from "./operation.ts";

/** Reads the account that the API key belongs to (docs/interface.md, section 4, "Get account"). */
export const getAccount: Operation<Contract["account"]["get"]> = async (call, { storage }) => {
  const { principal } = call;
  const account = await storage.accounts.get(principal.accountId);
  if (account === undefined) throw new Error(`The API key ${principal.prefix} belongs to no account.`);
  const data = { ...account, api_key: describeApiKey(principal) };
  return answerRead(call, accountTag(data), () => ({ data }));
};

function describeApiKey(key: Principal): Account["api_key"] {
  return {
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}

/**
 * Returns the weak entity tag of an account, which is the same only for the same state. It lacks the time of the last use of the API key,
 * which every read would change, and the name and the address of the account, whose change is a newer `updated_at`.
 */
function accountTag({ id, updated_at, websites, api_key }: Account): string {
  const { prefix, expires_at, scopes, name } = api_key;
  const parts = [id, updated_at, websites.count, websites.limit, prefix, expires_at, scopes.join("+")];
  return `W/"${[...parts, encodeBase64Url(name)].join(".")}"`;
}
