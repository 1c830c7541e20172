import { JsonFields, joinJson, splitJson } from "../edits/json.ts";
import { anyOrigin, type CollectRequest, type Peer, reportOf, type Visit } from "./peer.ts";

/** `/api/send` and `/api/batch`. Umami believes the address and the user agent that anybody writes. */
export const umami: Peer = {
  paths: /\/api\/(send|batch)$/i,
  read(request) {
    const { body } = request;
    const whole = new JsonFields(body);
    const isBatch = Array.isArray(whole.value);
    const events = isBatch ? splitJson(body, []).map((event) => new JsonFields(event)) : [whole];
    const read = (event: JsonFields) => readVisit(event, request);
    return reportOf(events, read, (texts) => ({ body: isBatch ? joinJson(body, [], texts) : whole.text }));
  },
  answer({ body }, count) {
    const counts = { size: count, processed: count, errors: 0, details: [] };
    const answer = /^\s*\[/.test(body) ? counts : { beep: "boop" };
    const headers = { ...anyOrigin, "Content-Type": "application/json" };
    return { status: 200, headers, body: JSON.stringify(answer) };
  },
};

function readVisit(event: JsonFields, { isTrusted }: CollectRequest): Visit {
  const ip = event.get("payload.ip");
  // No browser sends it, and a client that is not trusted cannot say that it has another address.
  if (ip !== undefined && !isTrusted) event.set("payload.ip", undefined);
  const base = `https://${event.get("payload.hostname") || "localhost"}`;
  const page = resolve(event.get("payload.url"), base);
  const referrer = resolve(event.get("payload.referrer"), base);
  return {
    page: page.url,
    referrer: referrer.url,
    ip: isTrusted ? ip : undefined,
    userAgent: event.get("payload.userAgent") || undefined,
    set(part, url) {
      if (part === "page") event.set("payload.url", url.slice(page.added));
      else event.set("payload.referrer", url.slice(referrer.added));
    },
  };
}

/** Returns the URL of a text, and how much of its beginning is not in the text. So a path stays one. */
function resolve(text: string | undefined, base: string): { url: string | undefined; added: number } {
  if (text && /^\/(?![/\\])/.test(text)) return { url: base + text, added: base.length };
  if (!text || /^[a-z][a-z\d+.-]*:/i.test(text)) return { url: text, added: 0 };
  return { url: URL.parse(text, base)?.href ?? text, added: 0 };
}
