import { Parameters } from "../edits/parameters.ts";
import { anyOrigin, type Peer, reportOf } from "./peer.ts";

const gif = Buffer.from("R0lGODlhAQABAIABAP///wAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64").toString("latin1");

/** `/count`. The query has the path of the page, and the browser says on which host it is. */
export const goatcounter: Peer = {
  paths: /\/count$/i,
  read({ query, origin, referer }) {
    const parameters = new Parameters(query, "first");
    const host = URL.parse(origin ?? referer ?? "")?.origin;
    const [path = "", search] = [parameters.get("p"), parameters.get("q")];
    // An event has a name in place of a path.
    const isPath = path.startsWith("/");
    const visit = {
      page: host && `${host}${isPath ? path : "/"}`,
      referrer: search && `${host}/${search}`,
      set(part: "page" | "referrer", url: string) {
        const text = url.slice(host?.length);
        if (part === "referrer") parameters.set("q", text.slice(1));
        else if (isPath) parameters.set("p", text);
      },
    };
    return reportOf(
      [parameters],
      () => visit,
      () => ({ query: parameters.text }),
    );
  },
  answer() {
    const headers = { ...anyOrigin, "Content-Type": "image/gif", "Cross-Origin-Resource-Policy": "cross-origin" };
    return { status: 202, headers, body: gif };
  },
};
