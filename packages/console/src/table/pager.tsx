import { withQuery } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import { Button } from "../parts/parts.tsx";
import { digits } from "../words/text.ts";

/** @param page from 1 */
export function Pager({ page, pages }: Readonly<{ page: number; pages: number }>) {
  const { route } = useDesk();
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
        Page {digits(page)} of {digits(pages)}
      </span>
    </nav>
  );
}
