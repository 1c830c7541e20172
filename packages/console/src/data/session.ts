import { isApiError, Siteward } from "@siteward/sdk";
import type { Run } from "@siteward/sdk/bulk";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Work } from "./changes.ts";

/** A key that the server has accepted, and what it may do. */
export interface Session {
  readonly client: Siteward;
  /** The name of the account. Empty if the key may not read it. */
  readonly name: string;
  readonly mayWrite: boolean;
  /** Tells accounts apart: the ID, or the beginning of a key that may not read it. */
  readonly account: string;
}

/** What every screen of a session uses. */
export interface Desk extends Session {
  readonly work: Work;
  readonly pick: (picked: Work["picked"]) => void;
  /** @param path of the screen that says it, if it is not this one */
  readonly notify: (text: string, path?: string) => void;
  /** Called after a run, with what it has done, such as `changed`. @param isMore whether it was the rest of one */
  readonly finish: (verb: string, run: Run, isMore?: boolean) => void;
}

// Every screen is in the console, which provides it.
export const DeskContext = createContext({} as Desk);
export const useDesk = () => useContext(DeskContext);

let isAway = false;
/** Whether a request has failed, and the client waits before it sends it again. */
export const isServerAway = () => isAway;

/** A tab keeps its key until it is closed. */
const item = "siteward-api-key";

export const storedKey = () => sessionStorage.getItem(item);
export const forgetKey = () => sessionStorage.removeItem(item);

/**
 * Checks a key with a request, and keeps it for this tab if the server accepts it.
 *
 * @param onRefused called with the reason when the server refuses the key, now or later
 */
export async function signIn(apiKey: string, onRefused: (reason: string) => void): Promise<Session> {
  const client = new Siteward({
    apiKey,
    // The page is at `console`, below the same path as the API.
    baseUrl: new URL(".", document.baseURI).href,
    maxConcurrent: 6,
    onRetry: () => {
      isAway = true;
    },
    onResponse: ({ status }) => {
      isAway = false;
      if (status === 401) onRefused("The API key is unknown, revoked or expired. Paste another one.");
    },
  });
  const session = await readRights(client);
  sessionStorage.setItem(item, apiKey);
  return session;
}

async function readRights(client: Siteward): Promise<Session> {
  try {
    const { id, name, api_key } = await client.account.get();
    return { client, name, account: String(id), mayWrite: api_key.scopes.includes("websites:write") };
  } catch (error) {
    if (!isApiError(error, "insufficient_scope")) throw error;
    return { client, name: "", account: client.keyPrefix ?? "", mayWrite: await mayWrite(client) };
  }
}

/** A key without `account:read` cannot see its scopes. No website has the ID 0, so this changes nothing. */
async function mayWrite(client: Siteward): Promise<boolean> {
  try {
    await client.request({ method: "PUT", path: "/api/v1/websites/0", body: {} });
    return true;
  } catch (error) {
    if (isApiError(error, "insufficient_scope")) return false;
    if (isApiError(error, "not_found")) return true;
    throw error;
  }
}
