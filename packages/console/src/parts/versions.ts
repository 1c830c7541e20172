import { readVersions, type Version } from "@siteward/sdk/bulk";
import { useEffect, useState } from "preact/hooks";
import { useDesk } from "../data/session.ts";
import { say } from "../words/text.ts";

/** Reads versions as long as this is shown. @param known those that a person has seen, which are not read again */
export function useVersions(ids: ReadonlySet<number>, known?: ReadonlyMap<number, Version>) {
  const { client } = useDesk();
  const [versions, setVersions] = useState(known);
  const [fault, setFault] = useState("");
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (versions !== undefined) return;
    const end = new AbortController();
    setFault("");
    const keep = (found: { readonly versions: typeof known }) => setVersions(found.versions);
    readVersions(client, { ids }, { signal: end.signal }).then(keep, (error) => setFault(say(error)));
    return () => end.abort();
  }, [round]);
  return { versions, fault, read: () => setRound(round + 1) };
}
