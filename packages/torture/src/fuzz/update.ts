import { updateWebsiteBody, type Website, website as websiteSchema } from "@siteward/contract";
import type { RawAnswer } from "../client/raw-connection.ts";
import type { AccountModel, ModelWebsite } from "./account-model.ts";
import { chooseId } from "./choose-id.ts";
import { isSame } from "./create.ts";
import { encodeBody } from "./encode-body.ts";
import { judgeProblem, readRefusedFields, toObject } from "./judge-problem.ts";
import type { Operation, Subject } from "./operation.ts";
import { chooseFields, judgeReading, refusedFields } from "./website-fields.ts";

/** Sends an update, valid or not. */
export function update(subject: Subject): Operation {
  const { random, model, apiKey } = subject;
  const { text: id, entry } = chooseId(subject);
  const fields = chooseFields(random, false);
  const sent = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.sent]));
  const { contentType, text, decoded } = encodeBody(random, sent);
  const parsed = updateWebsiteBody.safeParse(decoded);
  const refused = parsed.success ? [] : refusedFields(parsed.error.issues);
  return {
    method: "PUT",
    path: `/api/v1/websites/${id}`,
    apiKey,
    // The current entity tag means "only if unchanged", and the website is unchanged.
    headers: { "content-type": contentType, ...(entry === undefined ? {} : { "if-match": entry.entityTag }) },
    body: text,
    judge: (answer) => [
      ...judgeReading(fields, { stored: parsed.data, refused }),
      ...judgeUpdated(answer, { model, entry, body: parsed.data, refused }),
    ],
  };
}

type Body = ReturnType<typeof updateWebsiteBody.parse>;

interface Update {
  readonly model: AccountModel;
  readonly entry: ModelWebsite | undefined;
  /** Undefined if the body is refused. */
  readonly body: Body | undefined;
  readonly refused: readonly string[];
}

function judgeUpdated(answer: RawAnswer, { model, entry, body, refused }: Update): string[] {
  if (entry === undefined) return judgeProblem(answer, body ? ["not_found"] : ["not_found", "validation_failed"]);
  if (body === undefined) {
    const named = readRefusedFields(answer).filter((name) => name !== "password" || refused.includes("password"));
    const isNamed = named.join() === refused.join();
    return [
      ...judgeProblem(answer, ["validation_failed"]),
      ...(isNamed ? [] : [`it should name ${refused}, not ${named}`]),
    ];
  }
  if (!passwordFits(entry.website, body)) {
    const isNamed = readRefusedFields(answer).join() === "password";
    return [...judgeProblem(answer, ["validation_failed"]), ...(isNamed ? [] : ["it should name the password"])];
  }
  return answer.status === 200 ? keepUpdated(answer, model, { entry, body }) : ["it should be updated"];
}

/** A password is required for privacy 2 unless one is stored, and refused for any other privacy. */
function passwordFits(website: Website, { privacy = website.privacy, password }: Body): boolean {
  return privacy === 2 ? password !== undefined || website.has_password : password === undefined;
}

function keepUpdated(
  answer: RawAnswer,
  model: AccountModel,
  { entry, body: { password, ...body } }: { readonly entry: ModelWebsite; readonly body: Body },
): string[] {
  const { data: website } = websiteSchema.safeParse(toObject(answer.json)["data"]);
  const entityTag = answer.headers.get("etag");
  if (website === undefined || entityTag === undefined) return ["it has no record or no ETag"];
  const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const changed = { ...entry.website, ...sent };
  const wanted = { ...changed, has_password: changed.privacy === 2 };
  const isChanged = password !== undefined || !isSame(wanted, entry.website);
  const found: string[] = [];
  const { updated_at } = website;
  if (!isSame(website, { ...wanted, updated_at })) found.push(`it should be ${JSON.stringify(wanted)}`);
  if (isChanged === (entityTag === entry.entityTag)) found.push(`its ETag was ${entry.entityTag}`);
  if (isChanged ? updated_at < entry.website.updated_at : updated_at !== entry.website.updated_at) {
    found.push(`its updated_at was ${entry.website.updated_at}`);
  }
  model.websites.set(website.id, { website, entityTag });
  return found;
}
