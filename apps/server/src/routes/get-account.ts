import type { Account, Contract } from "@siteward/contract";
import { accountTag } from "@siteward/service";
import type { Dependencies } from "../dependencies.ts";
import type { Principal } from "../door/admission/exchange.ts";
import { answerRead } from "./answer-read.ts";
import { digest } from "./digest.ts";
import { principalOf } from "./exchange-parts.ts";
import type { Handler } from "./handler.ts";

/** Reads the account that the API key belongs to (docs/interface.md, section 4, "Get account"). */
export function getAccount({ storage }: Dependencies): Handler<Contract["account"]["get"]> {
  return async ({ req, res }) => {
    const key = principalOf(req);
    const account = await storage.accounts.get(key.accountId);
    if (account === undefined) throw new Error(`The API key ${key.prefix} belongs to no account.`);
    const data = { ...account, api_key: describeApiKey(key) };
    return answerRead({ req, res }, accountTag(data, digest), () => ({ data }));
  };
}

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
