import type { Browser, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { findAccessFaults, type OpenPage, openPage } from "./open-page.ts";

/** What the browser prints of an answer with an error, which some tests want, and of a header that counts with HTTPS alone. */
const expected = /^(Failed to load resource|The Cross-Origin-Opener-Policy header has been ignored)/;

/** Opens the console of a server, and signs in if there is a key. At the end it expects that nothing went wrong. */
export async function openConsole(browser: Browser, url: string, apiKey = ""): Promise<OpenPage> {
  const opened = await openPage(browser, `${url}/console`, { colorScheme: "light", width: 1280 });
  if (apiKey !== "") await signIn(opened.page, apiKey);
  const close = async () => {
    await opened[Symbol.asyncDispose]();
    expect(opened.faults.filter((fault) => !expected.test(fault))).toEqual([]);
  };
  return { ...opened, [Symbol.asyncDispose]: close };
}

export async function signIn(page: Page, apiKey: string): Promise<void> {
  await page.getByLabel("API key").fill(apiKey);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Websites", exact: true }).waitFor();
}

/** Shows a route of the console, which is the part of the URL after `#`. */
export async function show(page: Page, route: string): Promise<void> {
  await page.goto(`${page.url().replace(/#.*/, "")}#${route}`);
}

/** Searches, and waits until the count says so. */
export async function search(page: Page, term: string, count: string): Promise<void> {
  await page.getByRole("searchbox", { name: "Search domains" }).fill(term);
  await page.getByText(`${count} match “${term}”`).waitFor();
}

/** The websites that a page of the list shows, if nobody chooses another number. */
const pageSize = 50;

/** Selects all that a search finds, also on other pages. */
export async function selectAll(page: Page, term: string, count: number): Promise<void> {
  await search(page, term, `${count} websites`);
  await page.getByLabel("Select this page").check();
  if (count > pageSize) await page.getByRole("button", { name: `Select all ${count} that match` }).click();
  await page.getByText(`${count} websites selected`, { exact: true }).waitFor();
}

/** Deletes all that is selected, as the dialog asks. */
export async function deleteSelected(page: Page, count: number): Promise<void> {
  await page.getByRole("button", { name: "Delete …" }).click();
  await page.getByText("Export them as CSV first").waitFor();
  await page.getByLabel(`Type “delete ${count} websites”`).fill(`delete ${count} websites`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText(`${count} websites deleted.`).waitFor();
}

/** Presses Tab until the element has the focus, and then the keys, as a person without a mouse does. */
export async function press(page: Page, element: Locator, ...keys: readonly string[]): Promise<void> {
  await element.waitFor();
  for (let tabs = 0; !(await hasFocus(element)); tabs += 1) {
    if (tabs > 200) throw new Error(`Tab does not lead to ${element}.`);
    await page.keyboard.press("Tab");
  }
  for (const key of keys) await page.keyboard.press(key);
}

/** Goes to a field with Tab, and types into it. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await press(page, field, "ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

export async function expectFocus(element: Locator): Promise<void> {
  await expect.poll(() => hasFocus(element)).toBe(true);
}

function hasFocus(element: Locator): Promise<boolean> {
  return element.first().evaluate((found) => found.ownerDocument.activeElement === found);
}

/** A desk, the same at a zoom of 200 %, and two phones. */
const widths = [1280, 640, 390, 320];

/** Expects that what the page shows has no fault of any kind, however it is shown, and that nobody must scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths.toReversed()) {
      await page.setViewportSize({ width, height: 900 });
      const faults = await findAccessFaults(page, ["minor", "moderate", "serious", "critical"]);
      const overflow = await page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)");
      expect({ colorScheme, width, faults, overflow }).toEqual({ colorScheme, width, faults: [], overflow: 0 });
    }
  }
}
