import { JsonFields } from "../edits/json.ts";
import { anyOrigin, type Peer, readEach, readVisit } from "./peer.ts";

const urls = { page: "payload.url", referrer: "payload.referrer" };
/** Umami counts a visit for this host, whatever the host of its URL is. */
const names = { ...urls, domain: "payload.hostname", userAgent: "payload.userAgent" };

/** `/api/send` and `/api/batch`. Umami believes the address and the user agent that anybody writes. */
export const umami: Peer = {
  paths: /\/api\/(send|batch)$/i,
  read({ body, isTrusted }) {
    const whole = new JsonFields(body);
    const read = (event: JsonFields) => {
      // No browser sends it, and a client that is not trusted cannot say that it has another address.
      if (!isTrusted && event.get("payload.ip") !== undefined) event.set("payload.ip", undefined);
      const base = `https://${event.get("payload.hostname") || "localhost"}`;
      return readVisit(event, isTrusted ? { ...names, ip: "payload.ip" } : names, base);
    };
    if (Array.isArray(whole.value)) return readEach(body, [], (json) => new JsonFields(json), read);
    return { visits: [read(whole)], write: () => ({ body: whole.text }) };
  },
  answer({ body }, count) {
    const counts = { size: count, processed: count, errors: 0, details: [] };
    const answer = JSON.stringify(/^\s*\[/.test(body) ? counts : { beep: "boop" });
    return { status: 200, headers: { ...anyOrigin, "Content-Type": "application/json" }, body: answer };
  },
};
