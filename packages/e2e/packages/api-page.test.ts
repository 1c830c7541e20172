import { Siteward } from "@siteward/sdk";
import { lacksProgram } from "@siteward/testing/lacks-program";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../test/support/launch-browser.ts";
import { startPrefixProxy } from "../test/support/prefix-proxy.ts";
import {
  findAccessFaults as findFaultsOf,
  type Look,
  type OpenPage,
  openPage,
  readStored,
} from "./support/open-page.ts";
import { type InstalledServer, startInstalledServer } from "./support/start-installed-server.ts";

let apiKey: string;

describe.skipIf(lacksProgram("chromium"))("the page at /docs in a browser", () => {
  let server: InstalledServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startInstalledServer(), launchBrowser()]);
    ({ apiKey } = server);
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  test("sends requests with a key behind a prefix, shows their answers and keeps the key nowhere", {
    timeout: 90_000,
  }, async () => {
    await using proxy = await startPrefixProxy(server.url);
    await using opened = await openApiPage(browser, `${proxy.url}/siteward/docs`, {
      colorScheme: "light",
      width: 1280,
    });
    const { page, faults } = opened;
    expect(await page.locator(".info").textContent()).toContain(`export SITEWARD_BASE_URL=${proxy.url}/siteward `);
    expect(await findAccessFaults(page)).toEqual(ofSwaggerUi);
    await authorize(page, async () => expect(await findAccessFaults(page)).toEqual(ofSwaggerUi));

    expect(await execute(page, "createWebsite")).toMatch(/^422/);
    await fillBody(page, "createWebsite", { domain: "example.com", privacy: 1, exclude_params: ["utm_*", "gclid"] });
    await send(page, "createWebsite");
    await expect.poll(() => readAnswer(page, "createWebsite")).toMatch(/^201.*"domain": "example\.com"/s);
    expect(await findAccessFaults(page)).toEqual(ofSwaggerUi);
    const { websites } = new Siteward({ apiKey, baseUrl: server.url });
    const [website] = await websites.list().toArray({ limit: 1 });
    expect(website).toMatchObject({ domain: "example.com", privacy: 1, exclude_params: ["utm_*", "gclid"] });
    const updated = await execute(page, "updateWebsite", String(website?.id));
    expect(updated).toMatch(/^200/);
    expect(await websites.get(website?.id ?? 0)).toEqual(website);
    // A form sends only what was filled in: an empty list would delete the entries.
    const form = page.locator("#operations-websites-updateWebsite");
    await form.locator("select").first().selectOption("application/x-www-form-urlencoded");
    await form.locator('[data-property-name="email"] select').selectOption("1");
    await send(page, "updateWebsite");
    await expect
      .poll(() => websites.get(website?.id ?? 0))
      .toMatchObject({ email: 1, exclude_params: ["utm_*", "gclid"] });

    // The browser reports each answer that is an error.
    expect(faults).toEqual([expect.stringContaining("422")]);
    expect(await page.content()).not.toContain(apiKey);
    expect(await readStored(page)).toEqual([{}, {}, "", []]);
    await page.reload();
    expect(await execute(page, "getAccount")).toMatch(/^401/);
  });

  test("fits a phone, is as dark as the system, and fills a form with what the server accepts", {
    timeout: 90_000,
  }, async () => {
    await using opened = await openApiPage(browser, `${server.url}/docs`, { colorScheme: "dark", width: 390 });
    const { page, faults } = opened;
    await authorize(page);
    await prepare(page, "createWebsite");
    const operation = page.locator("#operations-websites-createWebsite");
    await operation.locator("select").first().selectOption("application/x-www-form-urlencoded");
    await operation.locator('[data-property-name="domain"] input').fill("form.example");
    const others = operation.locator('tr:not([data-property-name="domain"])[data-property-name] input[type="text"]');
    const values = await others.evaluateAll((inputs) => inputs.map((input) => "value" in input && input.value));
    expect(values.filter((value) => value !== "")).toEqual([]);
    expect(await send(page, "createWebsite")).toMatch(/^201/);
    expect(await findAccessFaults(page)).toEqual(ofSwaggerUi);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    const isDark = () => page.evaluate('document.documentElement.classList.contains("dark-mode")');
    expect(await isDark()).toBe(true);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(isDark).toBe(false);
    expect(faults).toEqual([]);
  });
});

/** Opens the page of the API on a server, and waits until its operations are shown. */
async function openApiPage(browser: Browser, url: string, look: Look): Promise<OpenPage> {
  const opened = await openPage(browser, url, look);
  await opened.page.locator(".opblock").first().waitFor();
  return opened;
}

/** Swagger UI has others that are not serious. */
const findAccessFaults = (page: Page) => findFaultsOf(page, ["serious", "critical"]);

/** The head of each operation is a button that contains the button which copies its path. Its markup has no other form. */
const ofSwaggerUi = [
  "websites-listWebsites",
  "websites-createWebsite",
  "websites-getWebsite",
  "websites-updateWebsite",
  "websites-deleteWebsite",
  "account-getAccount",
].map((id) => `nested-interactive: #operations-${id} > .opblock-summary > .opblock-summary-control`);

async function authorize(page: Page, whileAsked = async () => {}): Promise<void> {
  await page.locator(".auth-wrapper > .authorize").click();
  await page.locator("#auth-bearer-value").fill(apiKey);
  await whileAsked();
  await page.locator(".auth-btn-wrapper .authorize").click();
  await page.locator(".auth-btn-wrapper .btn-done").click();
}

/** Executes an operation as the page has filled it in, apart from the ID, and returns what it shows of the answer. */
async function execute(page: Page, operationId: string, id?: string): Promise<string> {
  await prepare(page, operationId);
  if (id !== undefined) await blockOf(page, operationId).locator('[data-param-name="id"] input').fill(id);
  return await send(page, operationId);
}

async function fillBody(page: Page, operationId: string, body: object): Promise<void> {
  await blockOf(page, operationId).locator(".body-param__text").fill(JSON.stringify(body));
}

async function prepare(page: Page, operationId: string): Promise<void> {
  const block = blockOf(page, operationId);
  await block.locator(".opblock-summary-control").click();
  await block.locator(".try-out__btn").click();
}

async function send(page: Page, operationId: string): Promise<string> {
  await blockOf(page, operationId).locator(".execute").click();
  return await readAnswer(page, operationId);
}

async function readAnswer(page: Page, operationId: string): Promise<string> {
  return (await blockOf(page, operationId).locator(".live-responses-table .response").textContent()) ?? "";
}

function blockOf(page: Page, operationId: string) {
  return page.locator(`[id$="-${operationId}"].opblock`);
}
