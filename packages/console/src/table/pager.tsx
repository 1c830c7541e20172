import { type Route, withQuery } from "../data/route.ts";
import { Button } from "../parts/parts.tsx";

/** @param page from 1 */
type Props = Readonly<{ route: Route; page: number; pages: number }>;

export function Pager({ route, page, pages }: Props) {
  const links = [
    ["First", 1],
    ["Previous", page - 1],
    ["Next", page + 1],
    ["Last", pages],
  ] as const;
  const go = (to: number) => {
    location.assign(withQuery(route, { page: to === 1 ? "" : String(to) }));
    document.getElementById("title")?.scrollIntoView();
  };
  return (
    <nav class="row" aria-label="Pages" id="pages" tabIndex={-1}>
      {links.map(([label, to]) => (
        <Button key={label} label={label} isOff={to < 1 || to > pages || to === page} onClick={() => go(to)} />
      ))}
      <span class="count">
        Page {page.toLocaleString("en")} of {pages.toLocaleString("en")}
      </span>
    </nav>
  );
}
