import type { Account, Contract } from "@siteward/contract";
import { accountTag } from "@siteward/service";
import { digest } from "../state/digest.ts";
import { answerRead } from "./answer-read.ts";
import type { Operation } from "./operation.ts";

export const getAccount: Operation<Contract["account"]["get"]> = ({ state, apiKey, conditions }) => {
  const { websites, account } = state;
  const { id, name, email, ...times } = account;
  const data: Account = {
    id,
    name,
    email,
    websites: { count: websites.count, limit: websites.limit },
    ...times,
    api_key: {
      name: apiKey.name,
      prefix: apiKey.prefix,
      scopes: [...apiKey.scopes],
      created_at: apiKey.createdAt.toISOString(),
      expires_at: apiKey.expiresAt?.toISOString() ?? null,
      last_used_at: apiKey.lastUsedAt?.toISOString() ?? null,
    },
  };
  return answerRead(conditions, accountTag(data, digest), () => ({ data }));
};
