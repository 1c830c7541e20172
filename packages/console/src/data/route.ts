import { useLayoutEffect, useState } from "preact/hooks";

/** What is shown. It is in the URL after `#`, so back, reload and bookmarks work, and the server knows one path. */
export interface Route {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function readRoute(): Route {
  const [path = "", query = ""] = location.hash.slice(1).split("?");
  const isKnown = /^\/(add|journal|websites\/\d+)$/.test(path);
  return { path: isKnown ? path : "/", query: new URLSearchParams(query) };
}

/** How many screens and runs there are whose changes would be lost. */
let unsaved = 0;
export const mayLeave = () => unsaved === 0 || confirm("Your changes are not saved. Leave without them?");
/** The list as it was seen last, with its filter and page. */
let list = "#/";
export const listLink = () => list;

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  if (route.path === "/") list = withQuery(route, {});
  // An effect would come after what a person does at once.
  useLayoutEffect(() => {
    // The list is not there yet when a browser would scroll.
    history.scrollRestoration = "manual";
    const read = ({ oldURL }: HashChangeEvent) => {
      if (!mayLeave()) return history.replaceState(null, "", oldURL);
      setRoute(readRoute());
    };
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return route;
}

/** Keeps where a person is on the list, in its place of the history, as they open one of its rows. */
export function keepPlace(row: number): void {
  history.replaceState({ row, top: scrollY }, "");
}

/** Leads back there, or to the top of a screen that is new. @returns whether it has */
export function restorePlace(): boolean {
  const { row, top = 0 }: { readonly row?: number; readonly top?: number } = history.state ?? {};
  scrollTo(0, top);
  const link = document.querySelector<HTMLElement>(`a[href="#/websites/${row}"]`);
  link?.focus({ preventScroll: true });
  return link !== null;
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

/** How many websites a page shows. */
export const pageSize = 100;

/** Reads what the URL says, or the default. Whatever a person writes there is safe. */
export function readQuery(query: URLSearchParams) {
  return {
    sort_by: query.get("sort_by") === "domain" ? "domain" : "id",
    sort: query.get("sort") === "asc" ? "asc" : "desc",
    page: Math.max(1, Math.trunc(Number(query.get("page"))) || 1),
  } as const;
}
