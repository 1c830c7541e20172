import { setTimeout as sleep } from "node:timers/promises";
import type { RawAnswer } from "../client/raw-connection.ts";
import { readMember } from "../client/read-member.ts";
import type { Race } from "./race.ts";

interface Website {
  readonly id: number;
  readonly domain: unknown;
  readonly version: number;
  readonly exclude_params: unknown;
}

/** A service that decides by what it read a moment ago, as without transactions. Each race for a record must find that. */
export function createCarelessService(websiteLimit: number): Race["send"] {
  const stored = new Map<number, Website>();
  let lastId = 0;
  return async (method, path, _, body) => {
    const seen = [...stored.values()];
    const website = stored.get(Number(path.split("/")[4]));
    await sleep(1);
    if (path === "/api/v1/account") return answer(200, { data: { websites: { count: stored.size } } });
    if (method === "POST") return create(seen, readMember(body, "domain"));
    if (website === undefined) return answer(404, {});
    if (method === "GET") return show(200, website);
    if (method === "PUT") {
      const exclude_params = readMember(body, "exclude_params");
      return show(200, { ...website, version: website.version + 1, exclude_params });
    }
    stored.delete(website.id);
    return answer(204, {});
  };

  function create(seen: readonly Website[], domain: unknown): RawAnswer {
    const taken = seen.find((website) => website.domain === domain);
    if (taken !== undefined) return answer(409, { website_id: taken.id });
    if (seen.length >= websiteLimit) return answer(403, { code: "website_limit_reached" });
    lastId += 1;
    return show(201, { id: lastId, domain, version: 1, exclude_params: [] });
  }

  function show(status: number, website: Website): RawAnswer {
    stored.set(website.id, website);
    return answer(status, { data: website }, `"1-${website.id}-${website.version}"`);
  }
}

function answer(status: number, json: object, etag = ""): RawAnswer {
  return { status, headers: new Map([["etag", etag]]), text: JSON.stringify(json), json };
}
