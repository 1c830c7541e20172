/**
 * Leads a person who lost their place, since what they have used is gone, to what is next: the row after those that
 * went, the dialog or the form, or the title. Called before the page is drawn anew.
 *
 * @param gone the IDs of websites that are no longer there
 */
export function keepFocus(gone: ReadonlySet<number> = new Set()): void {
  const links = () => [...document.querySelectorAll<HTMLElement>("tbody th a")];
  const at = links().findIndex((link) => gone.has(Number(link.getAttribute("href")?.split("/").at(-1))));
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const rows = at === -1 ? [] : links();
    const next = rows[Math.min(at, rows.length - 1)] ?? document.querySelector<HTMLElement>(places);
    next?.focus();
  });
}

const places = "dialog[open] .actions button, body:not(:has(dialog[open])) :is([type=submit], #title)";
