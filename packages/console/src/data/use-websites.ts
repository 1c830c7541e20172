import type { WebsitePage } from "@siteward/sdk";
import type { Version } from "@siteward/sdk/bulk";
import { useEffect, useState } from "preact/hooks";
import { say } from "../words/text.ts";
import { type Route, readQuery, readRoute, withQuery } from "./route.ts";
import { useDesk } from "./session.ts";

/** Returns the versions of a page that was asked for with `entity_tags`. */
export function toVersions({ data, meta }: WebsitePage): Version[] {
  return data.map((website, at) => ({ website, tag: meta.entity_tags?.[at] ?? "" }));
}

/** Reads the page that the URL names, and again after each run. The page before it stays until the next has come. */
export function useWebsites({ query }: Route) {
  const { client, work } = useDesk();
  const [page, setPage] = useState<WebsitePage>();
  const [fault, setFault] = useState("");
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    client.websites.list({ ...readQuery(query), entity_tags: 1 }, { signal: abort.signal }).then(
      (read) => {
        setPage(read);
        setFault("");
      },
      (error) => {
        if (!abort.signal.aborted) setFault(say(error));
      },
    );
    return () => abort.abort();
  }, [query.toString(), round, work.rest]);
  return { page, fault, reload: () => setRound((count) => count + 1) };
}

const pauseMs = 200;

/** Returns what is typed as a search, and makes it the one of the URL once nothing was typed for a moment. */
export function useSearch(route: Route) {
  const search = route.query.get("search") ?? "";
  const [term, setTerm] = useState(search);
  const [sent, setSent] = useState(search);
  useEffect(() => {
    // The URL was changed by something else, such as the way back.
    if (search !== sent) setTerm(search);
    setSent(search);
  }, [search]);
  useEffect(() => {
    if (term === search) return;
    const send = () => {
      // A person may have opened a website meanwhile.
      if (readRoute().path !== route.path) return;
      setSent(term);
      location.replace(withQuery(route, { search: term, cursor: "" }));
    };
    const timer = setTimeout(send, pauseMs);
    return () => clearTimeout(timer);
  }, [term]);
  return { search, term, setTerm };
}
