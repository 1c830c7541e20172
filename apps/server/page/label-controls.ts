/** Names the controls that Swagger UI adds without a name. A screen reader has nothing else to read out. */
export function labelControls(root: HTMLElement): void {
  const observer = new MutationObserver(() => {
    for (const select of root.querySelectorAll<HTMLSelectElement>("select:not([aria-label])")) {
      if (select.labels.length === 0) select.ariaLabel = nameOf(select);
    }
    for (const button of root.querySelectorAll(".close-modal:not([aria-label])")) button.ariaLabel = "Close";
    for (const text of root.querySelectorAll(".body-param__text:not([aria-label])")) text.ariaLabel = "Request body";
    // What scrolls must be reached with the keyboard.
    for (const code of root.querySelectorAll<HTMLElement>(".microlight:not([tabindex])")) code.tabIndex = 0;
  });
  observer.observe(root, { childList: true, subtree: true });
}

/** Returns the name of the field that a select is for. One without a field chooses the media type. */
function nameOf(select: Element): string {
  const row = select.closest<HTMLElement>("[data-property-name], [data-param-name]");
  return row?.dataset["propertyName"] ?? row?.dataset["paramName"] ?? "Media type";
}
