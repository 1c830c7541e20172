import { useEffect, useLayoutEffect, useState } from "preact/hooks";

/** What is shown. It is in the URL after `#`, so back, reload and bookmarks work, and the server knows one path. */
export interface Route {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function readRoute(): Route {
  const [path = "", query = ""] = location.hash.slice(1).split("?");
  return { path: path || "/", query: new URLSearchParams(query) };
}

/** How many screens and runs there are whose changes would be lost. */
let unsaved = 0;

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const read = ({ oldURL }: HashChangeEvent) => {
      if (unsaved > 0 && !confirm("Your changes are not saved. Leave without them?")) {
        return history.replaceState(null, "", oldURL);
      }
      setRoute(readRoute());
    };
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return route;
}

/** Asks before the screen or the page is left, as long as something would be lost. */
export function useUnsaved(isUnsaved: boolean): void {
  // An effect would come after a screen that is left as soon as all is saved.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: Event) => event.preventDefault();
    unsaved += 1;
    addEventListener("beforeunload", ask);
    return () => {
      unsaved -= 1;
      removeEventListener("beforeunload", ask);
    };
  }, [isUnsaved]);
}

/** Returns the link to a route with parts of its query changed. A part that is empty is removed. */
export function withQuery({ path, query }: Route, changes: Readonly<Record<string, string>>): string {
  const parts = Object.entries({ ...Object.fromEntries(query), ...changes }).filter(([, value]) => value !== "");
  const text = new URLSearchParams(parts).toString();
  return `#${path}${text === "" ? "" : `?${text}`}`;
}

export const pageSizes = [25, 50, 100] as const;

/** Reads what the URL says, or the default. Whatever a person writes there is safe. */
export function readQuery(query: URLSearchParams) {
  const [search, cursor] = [query.get("search"), query.get("cursor")];
  return {
    sort_by: query.get("sort_by") === "domain" ? "domain" : "id",
    sort: query.get("sort") === "asc" ? "asc" : "desc",
    per_page: pageSizes.find((size) => query.get("per_page") === String(size)) ?? 50,
    ...(search && { search }),
    ...(cursor && { cursor }),
  } as const;
}
