import { commonWord } from "../load/domain-of.ts";
import type { RequestTemplate } from "../load/request-template.ts";

/** A request that is measured, and how many callers send it at the same time. */
export interface Scenario {
  readonly title: string;
  readonly callers: number;
  readonly request: RequestTemplate;
}

const websites = "/api/v1/websites";
const getOne = { method: "GET", path: `${websites}/{id}` } as const;
const create = {
  method: "POST",
  path: websites,
  body: `{"domain":"{domain}","exclude_ips":["203.0.113.0/24"]}`,
} as const;
const update = { method: "PUT", path: `${websites}/{id}`, body: `{"exclude_params":["campaign-{number}"]}` } as const;

/** The scenarios of `pnpm bench http`. */
export const scenarios = {
  get: { title: "get one, 100 callers", callers: 100, request: getOne },
  list: { title: "list ten, 100 callers", callers: 100, request: { method: "GET", path: websites } },
  search: {
    title: "search, 100 callers",
    callers: 100,
    request: { method: "GET", path: `${websites}?search=${commonWord}` },
  },
  update: { title: "update, 16 callers", callers: 16, request: update },
  "create-one": { title: "create, one caller", callers: 1, request: create },
  create: { title: "create, 16 callers", callers: 16, request: create },
} as const satisfies Record<string, Scenario>;
