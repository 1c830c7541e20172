import type { UpdateWebsite, Website } from "@siteward/contract/types";
import type { CallOptions } from "../options/call-options.ts";
import { createKey } from "../options/create-key.ts";
import type { Siteward } from "../siteward.ts";
import type { Change, Creation, Deletion, Tried, Update, Version } from "./change.ts";
import { fieldsOf, isChangedOnlyBy, storedOf, valuesOf } from "./change.ts";
import { exposureOf } from "./exposure.ts";
import { hasCode, isAborted, mayHaveActed, toFailure, whoseFault } from "./failure.ts";
import type { Outcome } from "./outcome.ts";
import { readVersion } from "./read-versions.ts";

/** How often a website is read again that others keep changing. */
const maxTries = 20;

/** What became of one change, and the website that it has created or updated, or that needed none. */
export interface Sent {
  readonly outcome: Outcome;
  readonly website?: Website | undefined;
}

/** Sends one change, until it is known what became of it. */
export class Sender {
  readonly #siteward: Siteward;
  readonly #options: CallOptions;
  readonly #acceptsMissing: boolean;

  constructor(siteward: Siteward, options: CallOptions, acceptsMissing: boolean) {
    this.#siteward = siteward;
    this.#options = options;
    this.#acceptsMissing = acceptsMissing;
  }

  /** @param version the website as this run has read it; undefined if it has not, or it does not exist */
  async send(change: Change, version: Version | undefined): Promise<Sent> {
    if (change.action === "create") return await this.#create(change);
    if (change.action === "delete") return await this.#delete(change);
    return await this.#update(change, exposureOf(change, version?.website), version);
  }

  /** Each attempt has the same key, so the service recognizes the website that an earlier one has created. */
  async #create(change: Creation): Promise<Sent> {
    const { domain, set, ifTaken, tried = createKey() } = change;
    try {
      const options = { ...this.#options, idempotencyKey: tried };
      const { data, response } = await this.#siteward.websites.create({ ...set, domain }, options).withResponse();
      const now = { tag: response.etag ?? "" };
      return { outcome: { change, state: "changed", id: data.id, now }, website: data };
    } catch (error) {
      const id = hasCode(error, "domain_taken") ? toFailure(error).problem?.website_id : undefined;
      if (ifTaken === "update" && id !== undefined)
        return await this.#update({ action: "update", id, domain, edit: { set } }, []);
      return { outcome: { ...this.#failed(this.#isLost(error) ? { ...change, tried } : change, error), id } };
    }
  }

  async #update(wanted: Update, agreed: Agreed, read?: Version, triesLeft = maxTries): Promise<Sent> {
    const { id, edit, only } = wanted;
    let change = wanted;
    let sent: Tried | undefined;
    try {
      const current = read ?? (await readVersion(this.#siteward, id, this.#options));
      if (current === undefined) return { outcome: { change, state: "refused", reason: "gone", id } };
      const fields = fieldsOf(edit, current.website);
      const made = recognize(change, current);
      change = { ...change, tried: leftOf(change.tried, current) };
      const settled = made ?? settle(change, { current, fields, agreed, triesLeft });
      if (settled !== undefined) return settled;
      sent = { from: current, isRefused: false, ...change.tried, fields: { ...change.tried?.fields, ...fields } };
      const options = { ...this.#options, ifMatch: current.tag };
      const { data, response } = await this.#siteward.websites.update(id, fields, options).withResponse();
      const now = { website: data, tag: response.etag ?? "" };
      if (only === undefined || isChangedOnlyBy(fields, current.website, data)) return changed(change, sent, now);
      return { outcome: { change, state: "refused", reason: "overwritten", id, now } };
    } catch (error) {
      const [isStale, isLost] = [hasCode(error, "precondition_failed"), this.#isLost(error)];
      // After a lost answer, a refusal proves nothing any more.
      if (sent && (isStale || isLost)) change = { ...change, tried: { ...sent, isRefused: !isLost && !change.tried } };
      if (isStale) return await this.#update(change, agreed, undefined, triesLeft - 1);
      return await this.#readBack(change, error);
    }
  }

  /** After a lost answer, only the website says whether the change was made. */
  async #readBack(change: Update, error: unknown): Promise<Sent> {
    const outcome = this.#failed(change, error);
    if (outcome.state !== "unknown") return { outcome };
    const options = { signal: this.#options.signal, maxRetries: 0 };
    const now = await readVersion(this.#siteward, change.id, options).catch(() => undefined);
    if (now === undefined) return { outcome };
    // A refusal after which nothing is as it was sent has made nothing.
    const tried = change.tried?.isRefused ? leftOf(change.tried, now) : change.tried;
    return recognize(change, now) ?? { outcome: this.#failed({ ...change, tried }, error) };
  }

  async #delete(change: Deletion): Promise<Sent> {
    const { id, only, tried } = change;
    if (only?.tag === "") return { outcome: { change, state: "failed", reason: "untagged", id } };
    try {
      await this.#siteward.websites.delete(id, { ...this.#options, ...(only && { ifMatch: only.tag }) });
      return { outcome: { change, state: "changed", id } };
    } catch (error) {
      if (hasCode(error, "not_found") && (tried === true || this.#acceptsMissing))
        return { outcome: { change, state: tried === true ? "changed" : "already", reason: "gone", id } };
      const outcome = this.#failed(this.#isLost(error) ? { ...change, tried: true } : change, error);
      if (!hasCode(error, "precondition_failed")) return { outcome };
      // So that a person can be asked again about what it has become.
      const now = await readVersion(this.#siteward, id, this.#options).catch(() => undefined);
      return { outcome: { ...outcome, reason: "changed", now } };
    }
  }

  #isLost(error: unknown): boolean {
    return mayHaveActed(error) || (isAborted(error) && this.#options.signal?.aborted === true);
  }

  #failed(change: Change, error: unknown): Outcome {
    const id = "id" in change ? change.id : undefined;
    const isTried = change.tried !== undefined;
    if (isAborted(error)) return { change, state: isTried ? "unknown" : "not_tried", id };
    const state = whoseFault(error) === "website" ? "refused" : isTried ? "unknown" : "failed";
    return { change, state, id, error, reason: hasCode(error, "not_found") ? "gone" : undefined };
  }
}

/** What the update exposes of the website as it was when somebody agreed to that. */
type Agreed = ReturnType<typeof exposureOf>;

/** What is known of a website that is to be updated, and the fields that the update would change. */
type Situation = Readonly<{ current: Version; fields: UpdateWebsite; agreed: Agreed; triesLeft: number }>;

/** Returns what becomes of a website that is as wanted, or not as it was shown. */
function settle(change: Update, { current, fields, agreed, triesLeft }: Situation): Sent | undefined {
  const { id, only, edit, tried } = change;
  const { website, tag } = current;
  const { password, ...settings } = fields;
  const isAsPlanned = !only?.website || isChangedOnlyBy(fieldsOf(edit, only.website), only.website, website);
  const isAsWanted = isAsPlanned && Object.keys(settings).length === 0;
  // After a refusal, others have made it so, or its own write, which a browser has repeated.
  const isUnclear = tried?.isRefused === true;
  const refuse = (reason: Outcome["reason"], state: Outcome["state"] = "refused"): Sent =>
    tried && !isUnclear
      ? changed(change, tried, current)
      : { outcome: { change, state, reason, id, now: current, isAsWanted } };
  if (isAsWanted && password === undefined && !isUnclear)
    return { outcome: { change, state: "already", id, now: { tag } }, website };
  if ((only !== undefined && tag !== only.tag) || triesLeft === 0 || isUnclear) return refuse("changed");
  if (tag === "") return refuse("untagged", "failed");
  return exposureOf(change, website).some((kind) => !agreed.includes(kind)) ? refuse("opens") : undefined;
}

/** Returns what is left of an attempt, with the website as it would be without it. */
function leftOf(tried: Tried | undefined, { website, tag }: Version): Tried | undefined {
  const fields = storedOf(tried?.fields ?? {}, website);
  if (tried === undefined || Object.keys(fields).length === 0) return undefined;
  const { has_password } = fields.privacy === undefined ? website : tried.from.website;
  const before = { ...website, ...valuesOf(fields, tried.from.website), has_password };
  return { ...tried, from: { website: before, tag }, fields };
}

/** Returns the outcome if an attempt has made this of the website. Nobody can read a password. */
function recognize(change: Update, now: Version): Sent | undefined {
  const { tried, edit } = change;
  if (tried === undefined || now.tag === tried.from.tag) return undefined;
  const { from, fields, isRefused } = tried;
  const isExact = isChangedOnlyBy(fields, from.website, now.website) && !(isRefused && fields.password !== undefined);
  if (isExact) return changed(change, tried, now);
  const isWanted = Object.keys(fieldsOf(edit, now.website)).length === 0;
  const left = isWanted && !isRefused ? leftOf(tried, now) : undefined;
  return left && changed(change, left, now);
}

function changed(change: Update, { from, fields }: Tried, { website, tag }: Version): Sent {
  const before = { ...valuesOf(fields, from.website), has_password: from.website.has_password };
  return { outcome: { change, state: "changed", id: change.id, before, fields, now: { tag } }, website };
}
