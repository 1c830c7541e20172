import { JsonFields, joinJson, splitJson } from "../edits/json.ts";
import { anyOrigin, type Peer, readVisit, reportOf } from "./peer.ts";

const urls = { page: "payload.url", referrer: "payload.referrer" };
/** Umami counts a visit for this host, whatever the host of its URL is. */
const names = { ...urls, domain: "payload.hostname", userAgent: "payload.userAgent" };

/** `/api/send` and `/api/batch`. Umami believes the address and the user agent that anybody writes. */
export const umami: Peer = {
  paths: /\/api\/(send|batch)$/i,
  read({ body, isTrusted }) {
    const whole = new JsonFields(body);
    const isBatch = Array.isArray(whole.value);
    const events = isBatch ? splitJson(body, []).map((event) => new JsonFields(event)) : [whole];
    const read = (event: JsonFields) => {
      // No browser sends it, and a client that is not trusted cannot say that it has another address.
      if (!isTrusted && event.get("payload.ip") !== undefined) event.set("payload.ip", undefined);
      const base = `https://${event.get("payload.hostname") || "localhost"}`;
      return readVisit(event, isTrusted ? { ...names, ip: "payload.ip" } : names, base);
    };
    return reportOf(events, read, (texts) => ({ body: isBatch ? joinJson(body, [], texts) : whole.text }));
  },
  answer({ body }, count) {
    const counts = { size: count, processed: count, errors: 0, details: [] };
    const answer = JSON.stringify(/^\s*\[/.test(body) ? counts : { beep: "boop" });
    return { status: 200, headers: { ...anyOrigin, "Content-Type": "application/json" }, body: answer };
  },
};
