import { Parameters } from "../edits/parameters.ts";
import { anyOrigin, type Peer, readVisit, reportOf } from "./peer.ts";

const gif = Buffer.from("R0lGODlhAQABAIABAP///wAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64").toString("latin1");

/** `/count`. The query has the path of the page, and the browser says on which host it is. */
export const goatcounter: Peer = {
  paths: /\/count$/i,
  read({ query, origin, referer }) {
    const host = URL.parse(origin ?? referer ?? "")?.origin;
    const names = host === undefined ? {} : { page: "p", referrer: "q" };
    const parameters = new Parameters(query, "first");
    return reportOf(
      [parameters],
      () => readVisit(parameters, names, host),
      ([text = ""]) => ({ query: text }),
    );
  },
  answer() {
    const headers = { ...anyOrigin, "Content-Type": "image/gif", "Cross-Origin-Resource-Policy": "cross-origin" };
    return { status: 202, headers, body: gif };
  },
};
