import type { Account, Contract } from "@siteward/contract";
import { accountTag } from "../records/account-tag.ts";
import { answerRead } from "./answer-read.ts";
import type { Operation, Principal } from "./operation.ts";

/** Reads the account that the API key belongs to (docs/interface.md, section 4, "Get account"). */
export const getAccount: Operation<Contract["account"]["get"]> = async (call, { storage, digest }) => {
  const { principal } = call;
  const account = await storage.accounts.get(principal.accountId);
  if (account === undefined) throw new Error(`The API key ${principal.prefix} belongs to no account.`);
  const data = { ...account, api_key: describeApiKey(principal) };
  return answerRead(call, accountTag(data, digest), () => ({ data }));
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
