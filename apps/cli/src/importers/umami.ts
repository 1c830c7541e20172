import { isObject } from "../rows/parse-json.ts";
import { droppedFields } from "./dropped-fields.ts";
import type { Importer } from "./importer.ts";

/** Umami: what `GET /api/websites` answers with (https://umami.is/docs/api/websites). It excludes nothing per website. */
export const umami: Importer = {
  service: "Umami",
  ownFields: ["shareId", "teamId", "userId", "resetAt", "createdBy", "deletedAt"],
  findSites: (answer) => {
    const sites = isObject(answer) ? answer["data"] : answer;
    return Array.isArray(sites) ? sites : undefined;
  },
  hasOtherPages: (answer) =>
    isObject(answer) && Array.isArray(answer["data"]) && Number(answer["count"]) > answer["data"].length,
  convert: (site) => ({
    fields: { domain: site["domain"], privacy: "private" },
    dropped: droppedFields(site, ["domain"]),
    droppedValues: [],
  }),
};
