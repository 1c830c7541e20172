import { account as accountSchema } from "@siteward/contract";
import type { RawAnswer } from "../client/raw-connection.ts";
import type { ModelWebsite } from "./account-model.ts";
import { chooseId } from "./choose-id.ts";
import { isSame } from "./create.ts";
import { judgeProblem, toObject } from "./judge-problem.ts";
import type { Operation, Subject } from "./operation.ts";

/** Reads one website, sometimes with HEAD. */
export function get(subject: Subject): Operation {
  const { random, apiKey, readingKey } = subject;
  const { text, entry } = chooseId(subject);
  const isHead = random.chance(0.1);
  return {
    method: isHead ? "HEAD" : "GET",
    path: `/api/v1/websites/${text}`,
    apiKey: random.chance(0.9) ? apiKey : readingKey,
    judge: (answer) => {
      if (isHead) return answer.status === (entry ? 200 : 404) ? [] : ["it should have the status of a GET"];
      return entry === undefined ? judgeProblem(answer, ["not_found"]) : judgeFound(answer, entry);
    },
  };
}

function judgeFound({ status, headers, json }: RawAnswer, { website, entityTag }: ModelWebsite): string[] {
  if (status !== 200) return ["it should be found"];
  const isRight = isSame(toObject(toObject(json)["data"]), website);
  return [
    ...(isRight ? [] : [`it should be ${JSON.stringify(website)}`]),
    ...(headers.get("etag") === entityTag ? [] : [`its ETag should be ${entityTag}`]),
  ];
}

/** Deletes a website. */
export function remove(subject: Subject): Operation {
  const { model, apiKey } = subject;
  const { text, entry } = chooseId(subject);
  return {
    method: "DELETE",
    path: `/api/v1/websites/${text}`,
    apiKey,
    judge: (answer) => {
      if (entry === undefined) return judgeProblem(answer, ["not_found"]);
      model.websites.delete(entry.website.id);
      model.deletedIds.push(entry.website.id);
      return answer.status === 204 ? [] : ["it should be deleted"];
    },
  };
}

/** Reads the account, whose count must be exact. */
export function getAccount({ model, apiKey }: Subject): Operation {
  return {
    method: "GET",
    path: "/api/v1/account",
    apiKey,
    judge: ({ status, json }) => {
      const { data: account } = accountSchema.safeParse(toObject(json)["data"]);
      if (status !== 200 || account === undefined) return ["it should be the account"];
      const { count, limit } = account.websites;
      return [
        ...(count === model.websites.size ? [] : [`its count should be ${model.websites.size}`]),
        ...(limit === model.limit ? [] : [`its limit should be ${model.limit}`]),
      ];
    },
  };
}
