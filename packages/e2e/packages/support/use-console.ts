import { join } from "node:path";
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

export const searchbox = (page: Page) => page.getByRole("searchbox", { name: "Search domains" });

/** Waits until a button does something, because what it needs is read. */
export async function expectOn(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true, disabled: false }).waitFor();
}

/** Searches, and waits until the count says so. A tab that is looked at again learns what others have done. */
export async function search(page: Page, term: string, count: number): Promise<void> {
  await lookAgain(page);
  await searchbox(page).fill(term);
  await expectCount(page, `${count} of `);
}

export async function expectCount(page: Page, text: string): Promise<void> {
  await page.locator(".row .count", { hasText: new RegExp(`^${text}`) }).waitFor();
}

export async function lookAgain(page: Page): Promise<void> {
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
}

/** Selects all that a search finds, also on other pages. */
export async function selectAll(page: Page, term: string, count: number): Promise<void> {
  await search(page, term, count);
  await page.getByRole("button", { name: `Select all ${count} found` }).click();
  await expectSelected(page, count);
}

export async function expectSelected(page: Page, count: number): Promise<void> {
  await page.locator(".picked strong", { hasText: new RegExp(`^${count} websites? selected`) }).waitFor();
}

/** Waits until the page says what was done. */
export async function expectNotice(page: Page, text: string | RegExp): Promise<void> {
  await page.locator(".toast", { hasText: text }).waitFor();
}

/** Goes to the journal by the link in what was said last, and takes back the last change. */
export async function undoLast(page: Page): Promise<void> {
  await page.locator(".toast").getByRole("link", { name: "Journal" }).click();
  await page
    .getByRole("button", { name: /^Undo / })
    .first()
    .click();
}

export const listLink = (page: Page) => page.locator("header").getByRole("link", { name: "Websites" });

/** Goes to the list by the link at the top. */
export async function goBack(page: Page): Promise<void> {
  await listLink(page).click();
  await page.getByRole("heading", { name: "Websites", exact: true }).waitFor();
}

/** Deletes what is selected, or the website that is open, by the words that the dialog asks for. */
export async function deleteSelected(page: Page, words: string): Promise<void> {
  await page.getByRole("button", { name: "Delete …" }).click();
  await page.getByLabel(`Type “${words}”`).fill(words);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
}

/** Changes all that is selected: chooses or types what each field says. */
export async function changeSelected(page: Page, count: number, fields: Readonly<Record<string, string>>) {
  await page.getByRole("button", { name: "Change …" }).click();
  for (const [label, value] of Object.entries(fields)) {
    const field = page.getByLabel(label);
    if (label.startsWith("Add ")) await field.fill(value);
    else await field.selectOption(value);
  }
  await page.getByRole("button", { name: `Change ${count} websites` }).click();
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

/** Expects that nobody must scroll to see the element. */
export async function expectInView(element: Locator): Promise<void> {
  await expect
    .poll(() =>
      element.evaluate((found) => {
        const { top, bottom } = found.getBoundingClientRect();
        return top >= 0 && bottom <= (found.ownerDocument.defaultView?.innerHeight ?? 0);
      }),
    )
    .toBe(true);
}

/** Expects that somebody who uses the keyboard has not lost their place. */
export async function expectPlace(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate("document.activeElement !== document.body")).toBe(true);
}

function hasFocus(element: Locator): Promise<boolean> {
  return element.first().evaluate((found) => found.ownerDocument.activeElement === found);
}

/** A desk, the same at a zoom of 200 %, and two phones. */
const widths = [1280, 640, 390, 320];

/** Expects that what the page shows, once it is there, has no fault of any kind, however it is shown, and that nobody must scroll sideways. */
export async function expectAccessible(page: Page, shown?: Locator): Promise<void> {
  await shown?.waitFor();
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

/** Writes a picture for the documentation, if somebody asks for it. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env["TEST_SITEWARD_PICTURES"] !== "1") return;
  await page.setViewportSize({ width: 1280, height: 640 });
  await page.screenshot({ path: join(import.meta.dirname, `../../../../docs/pictures/${name}.png`) });
}

/** Lets each change of a website take long enough to stop what comes after it. */
export async function slowDown(page: Page, delayMs = 100): Promise<void> {
  await page.route(/\/api\/v1\/websites\/\d+$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await route.continue();
  });
}

export async function expectFirst(page: Page, domain: string): Promise<void> {
  await page.getByRole("rowheader").first().getByText(domain).waitFor();
}

/** How many parts of the journal the browser has. */
export const countBatches =
  'new Promise((resolve) => { indexedDB.open("siteward-journal").onsuccess = ({ target }) => { ' +
  'const count = target.result.transaction("batches").objectStore("batches").count(); ' +
  "count.onsuccess = () => resolve(count.result); }; })";
