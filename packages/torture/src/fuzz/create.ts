import { createWebsiteBody, website as websiteSchema } from "@siteward/contract";
import type { RawAnswer } from "../client/raw-connection.ts";
import { type AccountModel, findByDomain } from "./account-model.ts";
import { encodeBody } from "./encode-body.ts";
import { judgeProblem, readRefusedFields, toObject } from "./judge-problem.ts";
import type { Operation, Subject } from "./operation.ts";
import { chooseFields, judgeReading, refusedFields } from "./website-fields.ts";

/** Sends a create, valid or not. */
export function create({ random, model, apiKey }: Subject): Operation {
  const fields = chooseFields(random, true);
  const sent = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.sent]));
  const { contentType, text, decoded } = encodeBody(random, sent);
  const parsed = createWebsiteBody.safeParse(decoded);
  const refused = parsed.success ? [] : refusedFields(parsed.error.issues);
  return {
    method: "POST",
    path: "/api/v1/websites",
    apiKey,
    headers: { "content-type": contentType },
    body: text,
    judge: (answer) => {
      const reading = judgeReading(fields, { stored: parsed.data, refused });
      if (parsed.success) return [...reading, ...judgeCreated(answer, model, parsed.data)];
      const named = readRefusedFields(answer).join();
      const isNamed = named === refused.join();
      return [
        ...reading,
        ...judgeProblem(answer, ["validation_failed"]),
        ...(isNamed ? [] : [`it should name ${refused}, not ${named}`]),
      ];
    },
  };
}

type Body = ReturnType<typeof createWebsiteBody.parse>;

function judgeCreated(answer: RawAnswer, model: AccountModel, body: Body): string[] {
  const existing = findByDomain(model, body.domain);
  const isFull = model.limit !== null && model.websites.size >= model.limit;
  if (existing !== undefined || isFull) {
    const members = {
      domain_taken: { website_id: existing?.website.id },
      website_limit_reached: { limit: model.limit },
    };
    const taken = existing === undefined ? [] : (["domain_taken"] as const);
    return judgeProblem(answer, [...taken, ...(isFull ? (["website_limit_reached"] as const) : [])], members);
  }
  if (answer.status !== 201) return ["it should be created"];
  return keepCreated(answer, model, body);
}

function keepCreated(answer: RawAnswer, model: AccountModel, { password, ...fields }: Body): string[] {
  const { data: website } = websiteSchema.safeParse(toObject(answer.json)["data"]);
  const entityTag = answer.headers.get("etag");
  if (website === undefined || entityTag === undefined) return ["it has no record or no ETag"];
  const { id, created_at, updated_at } = website;
  const wanted = { id: model.lastId + 1, has_password: password !== undefined, ...fields, created_at, updated_at };
  const found: string[] = [];
  if (id !== wanted.id) found.push(`its id should be ${wanted.id}`);
  if (!isSame(website, wanted)) found.push(`it should be ${JSON.stringify(wanted)}`);
  if (created_at < model.lastCreatedAt) found.push(`its created_at is before ${model.lastCreatedAt}`);
  if (created_at !== updated_at) found.push("its updated_at is not its created_at");
  if (!answer.headers.get("location")?.endsWith(`/api/v1/websites/${id}`)) found.push("its Location is wrong");
  model.websites.set(id, { website, entityTag });
  model.lastId = Math.max(model.lastId, id);
  model.lastCreatedAt = created_at;
  return found;
}

/** Compares two objects without regard to the order of members. */
export function isSame(left: object, right: object): boolean {
  return sorted(left) === sorted(right);
}

function sorted(value: object): string {
  return JSON.stringify(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
