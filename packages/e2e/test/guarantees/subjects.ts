import { account, accounts } from "./accounts.ts";
import { atTheSameTime } from "./at-the-same-time.ts";
import { authentication } from "./authentication.ts";
import { bodies, compressedBodies } from "./bodies.ts";
import { changes } from "./changes.ts";
import { deleting, updating } from "./changing.ts";
import { conditionCells } from "./condition-cells.ts";
import { conditions } from "./conditions.ts";
import { connections } from "./connections.ts";
import { creating, limits } from "./creating.ts";
import { cursors } from "./cursors.ts";
import { fieldRefusals } from "./field-refusals.ts";
import type { Subject } from "./guarantee.ts";
import { idempotency } from "./idempotency.ts";
import { listing } from "./listing.ts";
import { pages } from "./pages.ts";
import { passwords } from "./passwords.ts";
import { paths } from "./paths.ts";
import { rateLimits } from "./rate-limits.ts";
import { searching, searchingMany } from "./searching.ts";
import { time } from "./time.ts";
import { unchanged } from "./unchanged.ts";
import { unreadableRequests } from "./unreadable-requests.ts";

/** What the API promises, by subject. */
export const subjects: Readonly<Record<string, Subject>> = {
  authentication: { guarantees: authentication },
  account: { guarantees: account },
  create: { guarantees: creating },
  "taken domains and full accounts": { guarantees: limits },
  "refused fields": { guarantees: fieldRefusals, anyEngine: true },
  passwords: { guarantees: passwords, runsAlone: "it hashes passwords" },
  update: { guarantees: updating },
  delete: { guarantees: deleting },
  "requests at the same time": { guarantees: atTheSameTime },
  list: { guarantees: listing },
  search: { guarantees: searching },
  cursors: { guarantees: cursors },
  "changes since a page": { guarantees: changes },
  conditions: { guarantees: conditions },
  "forms of conditions": { guarantees: conditionCells, anyEngine: true },
  "entity tags of what is unchanged": { guarantees: unchanged },
  "idempotency keys": { guarantees: idempotency, runsAlone: "it hashes passwords" },
  "request bodies": { guarantees: bodies, anyEngine: true },
  "requests that cannot be read": { guarantees: unreadableRequests, anyEngine: true },
  "paths and methods": { guarantees: paths, anyEngine: true },
  "rate limits": { guarantees: rateLimits, anyEngine: true },
  "the passing of time": { guarantees: time, runsAlone: "it changes the clock" },
};

/** What the built server promises. Memory has one account, one kind of search, and nothing in front of the API. */
export const subjectsOfServer: typeof subjects = {
  ...subjects,
  "a search of many": { guarantees: searchingMany },
  "several accounts": { guarantees: accounts },
  "compressed bodies": { guarantees: compressedBodies, anyEngine: true },
  "bytes on a connection": { guarantees: connections, anyEngine: true },
  "pages outside of the API": { guarantees: pages, anyEngine: true },
};
