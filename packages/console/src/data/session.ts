import { isApiError, Siteward } from "@siteward/sdk";
import type { Run } from "@siteward/sdk/bulk";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Work } from "./changes.ts";
import type { Doing } from "./journal-store.ts";
import type { Route } from "./route.ts";
import { Websites } from "./websites.ts";

/** An account whose key the server has accepted in this tab. */
export interface Account {
  readonly client: Siteward;
  readonly key: string;
  /** Tells accounts apart: the ID, or the beginning of a key that may not read it. */
  readonly id: string;
  readonly name: string;
  readonly mayWrite: boolean;
  readonly websites: Websites;
  /** Ends all that is read with the key. */
  readonly end: AbortController;
}

/** What every screen of an account uses. */
export interface Desk extends Account {
  readonly route: Route;
  readonly work: Work;
  readonly pick: (picked: Work["picked"]) => void;
  /** @param path of the screen that says it, if it is not this one */
  readonly notify: (text: string, path?: string) => void;
  /** Called after a run. */
  readonly finish: (run: Run, doing: Doing) => void;
}

// Every screen is in the console, which provides it.
export const DeskContext = createContext({} as Desk);
export const useDesk = () => useContext(DeskContext);

let isAway = false;
/** Whether a request has failed, and the client waits before it sends it again. */
export const isServerAway = () => isAway;

/** A tab keeps its keys until it is closed, the one that is shown first. */
const item = "siteward-api-keys";

/** Whatever else stands there is no key. */
export const storedKeys = (): readonly string[] => sessionStorage.getItem(item)?.match(/swk_\w+/g) ?? [];

export function storeKeys(keys: readonly string[]): void {
  if (keys.length === 0) sessionStorage.removeItem(item);
  else sessionStorage.setItem(item, JSON.stringify(keys));
}

/**
 * Checks a key with requests.
 *
 * @param onRefused called when the server refuses the key, now or later
 */
export async function openAccount(key: string, onRefused: () => void): Promise<Account> {
  const client = new Siteward({
    apiKey: key,
    // The page is at `console`, below the same path as the API.
    baseUrl: new URL(".", document.baseURI).href,
    maxConcurrent: 6,
    onRetry: () => {
      isAway = true;
    },
    onResponse: ({ status }) => {
      isAway = false;
      if (status === 401) onRefused();
    },
  });
  // What follows the websites tries for ever. A key that may not read them says so here.
  const [rights] = await Promise.all([readRights(client), client.websites.list({ per_page: 10 })]);
  const end = new AbortController();
  return { client, key, ...rights, websites: new Websites(client, end.signal), end };
}

async function readRights(client: Siteward): Promise<Pick<Account, "id" | "name" | "mayWrite">> {
  try {
    const { id, name, api_key } = await client.account.get();
    return { id: String(id), name, mayWrite: api_key.scopes.includes("websites:write") };
  } catch (error) {
    if (!isApiError(error, "insufficient_scope")) throw error;
    const name = client.keyPrefix ?? "";
    // Such a key cannot see its scopes. The server refuses what it may not do.
    return { id: name, name, mayWrite: true };
  }
}
