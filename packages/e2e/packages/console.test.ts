import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Siteward, type Website } from "@siteward/sdk";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { operate } from "@siteward/testing/servers/operate";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { launchBrowser } from "../test/support/launch-browser.ts";
import { startPrefixProxy } from "../test/support/prefix-proxy.ts";
import { cpuMsOf, holdBack, readStored, requestsOf } from "./support/open-page.ts";
import { type InstalledServer, startInstalledServer } from "./support/start-installed-server.ts";
import {
  changeSelected,
  countBatches,
  deleteSelected,
  expectAccessible,
  expectCount,
  expectFirst,
  expectFocus,
  expectInView,
  expectNotice,
  expectOn,
  expectPlace,
  expectSelected,
  goBack,
  listLink,
  lookAgain,
  openConsole,
  picture,
  press,
  search,
  searchbox,
  selectAll,
  show,
  signIn,
  slowDown,
  type,
  undoLast,
} from "./support/use-console.ts";
import { createAgency, createAll, createOne, domains, readAll } from "./support/websites.ts";

const patient = { timeout: 180_000 };
const privacyField = "Who may see the statistics";

describe.skipIf(lacksProgram("chromium"))("the console in a browser", () => {
  let server: InstalledServer;
  let browser: Browser;
  let siteward: Siteward;
  let accountId: string;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startInstalledServer(), launchBrowser()]);
    siteward = new Siteward({ apiKey: server.apiKey, baseUrl: server.url });
    accountId = String((await siteward.account.get()).id);
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  /** A test that begins with the list of websites. */
  const inConsole = (name: string, use: (page: Page) => Promise<void>) =>
    test(name, patient, async () => {
      await using opened = await openConsole(browser, server.url, server.apiKey);
      await use(opened.page);
    });
  const createKey = async (...options: readonly string[]): Promise<string> => {
    const { key } = await operate(server.databaseUrl, ["keys", "create", "--name", "console", ...options]);
    return String(key);
  };

  describe("the key", () => {
    test("is checked before it is sent, kept by its tab, and forgotten on request", patient, async () => {
      await using opened = await openConsole(browser, server.url);
      const { page } = opened;
      const sent = requestsOf(page);
      await page.getByLabel("API key").fill(`${server.apiKey.slice(0, -1)}!`);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("This is not an API key.").waitFor();
      expect(sent).toEqual([]);
      await signIn(page, server.apiKey);
      await page.reload();
      await page.getByRole("heading", { name: "Websites" }).waitFor();
      expect(page.url() + (await page.title()) + (await page.content())).not.toContain(server.apiKey);
      expect(await readStored(page)).toEqual([{}, { "siteward-api-keys": JSON.stringify([server.apiKey]) }, "", []]);
      await page.getByRole("button", { name: "Forget key" }).click();
      await page.getByLabel("API key").waitFor();
      expect(await readStored(page)).toEqual([{}, {}, "", []]);
      expect(await page.content()).not.toContain(server.apiKey);
      await expect.poll(server.log).toContain("/api/v1/account");
      expect(server.log()).not.toContain(server.apiKey);
    });

    test("that is forgotten in a read or an export sends nothing more, and saves nothing", patient, async () => {
      await createAll(siteward, domains("forgotten", 210));
      await using opened = await openConsole(browser, server.url);
      const { page } = opened;
      const saved: unknown[] = [];
      page.on("download", (file) => saved.push(file));
      const steps = {
        "**/websites?*per_page=100*": async () => {
          await expectOn(page, "Export CSV");
        },
        "**/websites?*changed_since*": async () => {
          await expectOn(page, "Export CSV");
          return () => page.getByRole("button", { name: "Export CSV" }).click();
        },
        "**/websites?*entity_tags*": async () => {
          await selectAll(page, "forgotten-", 210);
          return async () => {
            await page.getByRole("button", { name: "Delete …" }).click();
            await page.getByLabel("Type “delete 210 websites”").press("Escape");
          };
        },
      };
      for (const [pattern, prepare] of Object.entries(steps)) {
        await signIn(page, server.apiKey);
        const act = await prepare();
        const held = await holdBack(page, pattern);
        await (act?.() ?? page.reload());
        await held.isReached;
        const sent = requestsOf(page);
        await page.getByRole("button", { name: "Forget key" }).click();
        await page.getByLabel("API key").waitFor();
        await held.release();
        // What is sent in spite of that comes at once.
        await page.waitForTimeout(500);
        expect([pattern, sent, saved]).toEqual([pattern, [], []]);
      }
    });

    test("that can only read shows all, and offers no change", patient, async () => {
      await createAll(siteward, ["read-only.example"]);
      const apiKey = await createKey("--account", accountId, "--scopes", "account:read,websites:read");
      await using opened = await openConsole(browser, server.url, apiKey);
      const { page } = opened;
      await page.getByText("This API key can only read.").waitFor();
      await page.getByRole("link", { name: "read-only.example" }).waitFor();
      expect(await page.getByRole("checkbox").all()).toHaveLength(1);
      const buttons = await page.getByRole("button").allTextContents();
      expect(buttons).toEqual(["Forget key", "Export CSV", "First", "Previous", "Next", "Last"]);
      expect(await page.getByRole("link", { name: "Add websites" }).count()).toBe(0);
      await page.getByRole("link", { name: "read-only.example" }).click();
      await page.getByRole("heading", { name: "read-only.example" }).waitFor();
      expect(await page.getByRole("button").allTextContents()).toEqual(["Forget key"]);
      expect(await page.getByLabel("Excluded IP addresses").isDisabled()).toBe(true);
      await show(page, "/add");
      await page.getByText("This API key can only read.").waitFor();
      expect(await page.getByRole("button", { name: /^Add/ }).count()).toBe(0);
    });

    test(
      "that may not read the account, and send 60 requests a minute, still reads all and writes",
      patient,
      async () => {
        await createAll(siteward, domains("limited", 150));
        const apiKey = await createKey(
          ...["--account", accountId, "--scopes", "websites:read,websites:write", "--rate-limit", "60"],
        );
        const limited = new Siteward({ apiKey, baseUrl: server.url });
        await Promise.all(Array.from({ length: 60 }, () => limited.websites.list({ per_page: 10 })));
        await using opened = await openConsole(browser, server.url, apiKey);
        await opened.page.getByRole("link", { name: "Add websites" }).waitFor();
        expect(await opened.page.getByText("This API key can only read.").count()).toBe(0);
        await search(opened.page, "limited-", 150);
      },
    );
  });

  test("names with markup, directions or control characters are text", patient, async () => {
    const name = '<img src=x onerror="alert(1)">\u202egnp.exe\u2066 & &lt;b&gt;';
    const who = ["--name", name, "--email", "hostile@example.com"];
    const { id } = await operate(server.databaseUrl, ["accounts", "create", ...who]);
    await using opened = await openConsole(browser, server.url, await createKey("--account", String(id)));
    const { page } = opened;
    expect(await page.getByLabel("Account").locator("option").first().textContent()).toBe(name);
    expect(await page.locator("header img").count()).toBe(0);
    await page.getByText("No websites yet.").waitFor();
    await page.getByRole("link", { name: "Add the first ones" }).click();
    await page.getByLabel("Domains", { exact: true }).fill("first.example");
    await page.getByRole("button", { name: "Add 1 website" }).click();
    await expectNotice(page, "1 website added.");
    await goBack(page);
    const hostile = "<script>alert(1)</script>\u202e";
    await searchbox(page).fill(hostile);
    await page.getByRole("link", { name: "Add <script>" }).click();
    await page.getByRole("cell", { name: "Not a domain" }).waitFor();
    expect(await page.getByRole("rowheader").textContent()).toBe(hostile);
    // Another link leads to what it names, not to what is there.
    await show(page, "/add?domains=hostile.example");
    await page.getByText("More settings for all of them").click();
    await page.getByLabel("Excluded IP addresses").fill("<b>1</b>");
    await page.getByRole("button", { name: "Add 1 website" }).click();
    await page.getByRole("link", { name: /Excluded IP addresses:.*<b>1<\/b>/ }).waitFor();
    expect(await page.locator("main script, main b, main img").count()).toBe(0);
    page.once("dialog", (dialog) => dialog.accept());
    await show(page, '/websites/1"><b>');
    await page.getByRole("heading", { name: "Websites" }).waitFor();
  });

  describe("the list", () => {
    test("is searched, sorted and paged without a request, as the URL says, behind a prefix too", patient, async () => {
      await createAll(siteward, domains("list", 220));
      await using proxy = await startPrefixProxy(server.url);
      await using opened = await openConsole(browser, `${proxy.url}/siteward`, server.apiKey);
      const { page } = opened;
      await search(page, "list-", 220);
      const sent = requestsOf(page);
      await page.getByRole("link", { name: "Domain" }).click();
      await page.getByRole("columnheader", { name: "Domain" }).and(page.locator('[aria-sort="ascending"]')).waitFor();
      await expectFirst(page, "list-001.example");
      await page.getByRole("button", { name: "Next" }).click();
      await expectFirst(page, "list-101.example");
      await page.getByText("Page 2 of 3").waitFor();
      await page.getByRole("button", { name: "Last" }).click();
      await expectFirst(page, "list-201.example");
      await page.goBack();
      await expectFirst(page, "list-101.example");
      await page.getByRole("link", { name: "Domain" }).click();
      await expectFirst(page, "list-220.example");
      await searchbox(page).fill("HTTPS://www.list-042.example:8443/a?b#c");
      await expectFirst(page, "list-042.example");
      await searchbox(page).fill("list-no");
      await page.getByText("No website is like that.").waitFor();
      await page.getByRole("link", { name: "Show all" }).click();
      await page.getByRole("table").waitFor();
      expect(sent.filter((url) => !url.includes("changed_since"))).toEqual([]);
      await show(page, "/?search=list-&sort_by=domain&sort=asc&page=99999");
      await page.reload();
      await expectFirst(page, "list-201.example");
      await page.getByText("Page 3 of 3").waitFor();
    });

    inConsole("is where a person left it, and opens a website in another tab", async (page) => {
      await createAll(siteward, domains("place", 130));
      await lookAgain(page);
      await show(page, "/?search=place-&sort_by=domain&sort=asc&page=2");
      const row = page.getByRole("link", { name: "place-125.example" });
      await row.click();
      await page.getByRole("heading", { name: "place-125.example" }).waitFor();
      await goBack(page);
      await expectFirst(page, "place-101.example");
      await page.getByRole("button", { name: "First" }).click();
      await expectFirst(page, "place-001.example");
      expect(await page.evaluate("scrollY")).toBeLessThan(200);
      await page.getByRole("link", { name: "place-090.example" }).scrollIntoViewIfNeeded();
      const top = await page.evaluate("scrollY");
      expect(top).toBeGreaterThan(500);
      await page.getByRole("link", { name: "place-090.example" }).click();
      await page.getByRole("heading", { name: "place-090.example" }).waitFor();
      await page.goBack();
      await expectFocus(page.getByRole("link", { name: "place-090.example" }));
      expect(await page.evaluate("scrollY")).toBe(top);
      const opening = page.context().waitForEvent("page");
      await page.getByRole("link", { name: "place-090.example" }).click({ modifiers: ["ControlOrMeta"] });
      await (await opening).getByRole("heading", { name: "place-090.example" }).waitFor();
    });

    inConsole("keeps what is selected elsewhere, and selects rows between two, also on two pages", async (page) => {
      await createAll(siteward, domains("pick", 120));
      await search(page, "pick-", 120);
      await page.getByRole("link", { name: "Domain" }).click();
      await page.getByLabel("Select pick-002.example").click();
      await page.getByLabel("Select pick-005.example").click({ modifiers: ["Shift"] });
      await expectSelected(page, 4);
      await page.getByLabel("Select pick-008.example").press("Shift+Space");
      await expectSelected(page, 7);
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByLabel("Select pick-110.example").click({ modifiers: ["Shift"] });
      await expectSelected(page, 109);
      await search(page, "pick-11", 10);
      await page.getByText("109 websites selected, 108 not shown here").waitFor();
      await page.getByRole("button", { name: "Select all 10 found" }).click();
      await expectSelected(page, 118);
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await expectSelected(page, 0);
      await expectPlace(page);
    });

    inConsole("of one of several accounts alone asks the server, and is filtered as the URL says", async (page) => {
      const agency = await createAgency(server);
      await expectOn(page, "Export CSV");
      await page.getByLabel("Account").selectOption("Add another account …");
      await page.getByRole("button", { name: "Back" }).click();
      await page.getByLabel("Account").selectOption("Add another account …");
      await signIn(page, agency.apiKey);
      await page.getByText("6 websites", { exact: true }).waitFor();
      const keys = new Set<string | undefined>();
      page.on("request", (request) => {
        if (/changed_since|per_page=100/.test(request.url())) keys.add(request.headers()["authorization"]);
      });
      await lookAgain(page);
      await page.getByLabel("Statistics").selectOption("Statistics: Public (3)");
      await expectCount(page, "3 of 6 websites");
      await page.getByLabel("Which entry").selectOption("Lacks IP");
      await page.getByLabel("Address or network").fill("203.0.113");
      await page.getByText("“203.0.113” is not an IP address or network.").waitFor();
      await page.getByLabel("Address or network").fill("203.0.113.64/26");
      await page.getByText("No website is like that.").waitFor();
      await page.getByLabel("Which entry").selectOption("Has IP");
      await expectCount(page, "3 of 6 websites");
      await page.getByLabel("By client").check();
      await page.reload();
      await expectCount(page, "3 of 6 websites");
      expect(page.url()).toMatch(/#\/\?privacy=0&ask=exclude_ips&entry=203.0.113.64%2F26&group=client$/);
      await page.getByRole("rowheader", { name: "client.example 3 websites, 3 public" }).waitFor();
      await page.getByLabel("Select all of client.example").check();
      await expectSelected(page, 3);
      await page.getByRole("link", { name: "Clear filter" }).click();
      // Two names that look alike differ in ASCII, and one turns no text beside it.
      const name = page.getByRole("rowheader", { name: "bücher.example xn--bcher-kva.example" });
      expect(await name.locator("bdi").textContent()).toBe("bücher.example");
      expect(keys).toEqual(new Set([`Bearer ${agency.apiKey}`]));
      await page.emulateMedia({ media: "print" });
      expect([await page.getByRole("button").count(), await page.getByRole("searchbox").count()]).toEqual([0, 0]);
      await page.emulateMedia({ media: "screen" });
      await page.getByRole("button", { name: "Forget key" }).click();
      // The other account is still there.
      await page.getByRole("heading", { name: "Websites" }).waitFor();
      expect(await page.content()).not.toContain("client.example");
    });
  });

  describe("a change of many", () => {
    inConsole("keeps what others change, names what fails, and is taken back", async (page) => {
      const created = await createAll(siteward, domains("bulk", 300));
      const [first, second, third, full, stale] = created.toSorted((one, other) => one.id - other.id);
      const idOf = (website: Website | undefined) => website?.id ?? 0;
      await siteward.websites.update(idOf(stale), { privacy: 1 });
      await siteward.websites.update(idOf(full), { exclude_params: domains("full", 100) });
      await selectAll(page, "bulk-", 300);
      // Somebody else changes one website between the selection and the change, one meanwhile, and deletes another.
      await siteward.websites.update(idOf(stale), { privacy: 0 });
      await page.getByRole("button", { name: "Change …" }).click();
      await page.getByLabel(privacyField).selectOption("Private");
      await page.getByLabel("Add excluded IP addresses").fill("198.51.100.7");
      await page.getByLabel("Add excluded URL parameters").fill("gclid");
      await page.getByText("300 websites will change, 0 stay as they are.").waitFor();
      await siteward.websites.update(idOf(first), { exclude_ips: ["203.0.113.9"] });
      await siteward.websites.delete(idOf(second));
      await page.getByRole("button", { name: "Change 300 websites" }).click();
      await expectNotice(page, "298 websites changed. 2 refused.");
      await page.getByRole("heading", { name: "2 failed" }).waitFor();
      await page.getByText(`${second?.domain} does not exist any more.`).waitFor();
      await page.getByText(new RegExp(`${full?.domain}: .*101 different entries`)).waitFor();
      await expectPlace(page);
      const changed = await readAll(siteward, "bulk-");
      const ips = (website: Website) => website.exclude_ips.join();
      expect(changed.filter(({ privacy }) => privacy !== 1).map(({ id }) => id)).toEqual([full?.id]);
      const others = changed.filter((website) => ips(website) !== "198.51.100.7");
      expect(new Map(others.map((website) => [website.id, ips(website)]))).toEqual(
        new Map([
          [first?.id, "203.0.113.9,198.51.100.7"],
          [full?.id, ""],
        ]),
      );

      await siteward.websites.update(idOf(first), { email: 1 });
      await siteward.websites.update(idOf(third), { privacy: 2, password: "correct horse" });
      await undoLast(page);
      await page.getByRole("heading", { name: /^29[78] websites will become public: / }).waitFor();
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await expectNotice(page, "297 websites restored. 1 refused.");
      await expectPlace(page);
      const restored = await readAll(siteward, "bulk-");
      expect(restored.filter(({ privacy }) => privacy !== 0).map(({ id }) => id)).toEqual([third?.id]);
      expect(restored.find(({ id }) => id === first?.id)).toMatchObject({ email: 1, exclude_ips: ["203.0.113.9"] });
    });

    inConsole("that is stopped goes on and is taken back, and says which passwords it will delete", async (page) => {
      await createAll(siteward, domains("stop", 60));
      const password = "correct horse";
      const [protectedSite] = await createAll(siteward, ["stop-password.example"], { privacy: 2, password });
      const countChanged = async () => (await readAll(siteward, "stop-")).filter(({ email }) => email === 1).length;
      await slowDown(page);
      await selectAll(page, "stop-", 61);
      await page.getByRole("button", { name: "Change …" }).click();
      await page.getByLabel(privacyField).selectOption("Private");
      await page.getByLabel("E-mail reports").selectOption("On");
      await page.getByText("1 password will be deleted, which cannot be undone.").waitFor();
      await page.getByRole("button", { name: "Change 61 websites" }).click();
      await page.getByRole("heading", { name: "1 password will be deleted, which cannot be undone: " }).waitFor();
      expect(await countChanged()).toBe(0);
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await page.getByText(/\b([6-9]|[1-4]\d) of 61/).waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      const count = await countChanged();
      expect(count).toBeGreaterThan(5);
      expect(count).toBeLessThan(61);
      await expectNotice(page, `${count} websites changed. ${61 - count} left.`);
      await expectSelected(page, 61 - count);
      await page.unrouteAll({ behavior: "wait" });
      await page.getByRole("button", { name: `Continue with the ${61 - count} left` }).click();
      await expectNotice(page, `${61 - count} websites changed.`);
      await expectPlace(page);
      await undoLast(page);
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await expectNotice(page, "61 websites restored.");
      const restored = await readAll(siteward, "stop-");
      expect(restored.filter(({ email }) => email === 1)).toEqual([]);
      expect(restored.filter(({ privacy }) => privacy === 1).map(({ id }) => id)).toEqual([protectedSite?.id]);
    });

    inConsole("sends nothing that is not valid, counts no entry twice, and removes any of 60", async (page) => {
      const entries = Array.from({ length: 60 }, (_, at) => `192.0.2.${at + 1}`);
      const id = await createOne(siteward, "entries-1.example", { exclude_ips: entries });
      await createAll(siteward, ["entries-2.example"], { exclude_ips: [...entries.slice(0, 59), "198.51.100.7"] });
      await selectAll(page, "entries-", 2);
      await page.getByRole("button", { name: "Change …" }).click();
      await page.getByRole("button", { name: "Cancel" }).click();
      await expectFocus(page.getByRole("button", { name: "Change …" }));
      await page.keyboard.press("Enter");
      await page.getByLabel("Add excluded IP addresses").fill("198.51.100.7/32");
      await page.getByText("1 website will change, 1 stay as they are.").waitFor();
      const sent = requestsOf(page);
      await page.getByLabel("Add excluded IP addresses").fill("300.1.1.1");
      await page.getByRole("button", { name: "Change 2 websites" }).click();
      await page.getByRole("link", { name: /"300\.1\.1\.1"/ }).click();
      await expectFocus(page.getByLabel("Add excluded IP addresses"));
      expect(sent.filter((url) => !url.includes("changed_since"))).toEqual([]);
      await page.getByLabel("Add excluded IP addresses").fill("");
      await page.getByPlaceholder("Find one of 61").first().fill("2.60");
      await page.getByLabel("192.0.2.60 in 1 website").check();
      await page.getByRole("button", { name: "Change 2 websites" }).click();
      await expectNotice(page, "1 website changed. 1 was so already.");
      expect((await siteward.websites.get(id)).exclude_ips).toEqual(entries.slice(0, 59));
    });

    inConsole("whose key is revoked goes on with a new one, and all is taken back", async (page) => {
      await createAll(siteward, domains("revoked", 20));
      await selectAll(page, "revoked-", 20);
      const countPrivate = async () =>
        (await readAll(siteward, "revoked-")).filter(({ privacy }) => privacy === 1).length;
      let requests = 0;
      await page.route(/\/api\/v1\/websites\/\d+$/, (route) => {
        requests += 1;
        const authorization = `Bearer ${server.apiKey.slice(0, -1)}${requests > 5 ? "!" : server.apiKey.slice(-1)}`;
        return route.continue({ headers: { ...route.request().headers(), authorization } });
      });
      await changeSelected(page, 20, { [privacyField]: "Private" });
      await page.getByText("The API key is unknown, revoked or expired.").waitFor();
      await page.unrouteAll({ behavior: "wait" });
      // Requests that were on their way are answered.
      await expect.poll(countPrivate).toBe(5);
      expect((await readStored(page)).slice(0, 2)).toEqual([{}, {}]);
      await signIn(page, server.apiKey);
      await expectSelected(page, 15);
      await page.getByRole("button", { name: "Continue with the 15 left" }).click();
      await expectNotice(page, "15 websites changed.");
      await undoLast(page);
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await expectNotice(page, "20 websites restored.");
      expect(await countPrivate()).toBe(0);
    });

    inConsole("waits for a server that is away, and says so", async (page) => {
      await createAll(siteward, domains("away", 10));
      await selectAll(page, "away-", 10);
      await page.route("**/api/v1/**", (route) => route.abort("connectionrefused"));
      await changeSelected(page, 10, { "E-mail reports": "On" });
      await page.getByText("Waiting for the server, 10 left").waitFor();
      await page.unrouteAll({ behavior: "wait" });
      await expectNotice(page, "10 websites changed.");
      expect((await readAll(siteward, "away-")).every(({ email }) => email === 1)).toBe(true);
      await page.route("**/api/v1/**", (route) => route.abort("connectionrefused"));
      await lookAgain(page);
      await page.getByText("The server does not answer. This is what it said last.").waitFor();
      await page.getByRole("button", { name: "Export CSV" }).click();
      await expectNotice(page, "Nothing was exported, because the server does not answer.");
    });

    inConsole("brings websites in line with a model, but for exceptions", async (page) => {
      const lists = { exclude_ips: ["203.0.113.0/24"], exclude_params: ["gclid"] };
      const [model] = await createAll(siteward, ["like-model.example"], { privacy: 1, ...lists });
      await createAll(siteward, domains("like", 4), { exclude_ips: ["192.0.2.1"] });
      await selectAll(page, "like-", 5);
      await page.getByRole("button", { name: "Compare …" }).click();
      await page.getByLabel("Model: the domain of any website").fill("https://LIKE-model.example/");
      await page.getByText("4 of 5 differ.").waitFor();
      const row = page.getByRole("row", { name: "4 websites" });
      await row.getByText("Statistics: Public → Private; IPs: + 203.0.113.0/24 − 192.0.2.1").waitFor();
      await row.getByText("Which ones").click();
      await row.getByLabel("like-004.example").uncheck();
      await page.getByText("4 of 5 differ, 1 exception.").waitFor();
      await page.getByRole("button", { name: "Bring 3 websites in line" }).click();
      await expectNotice(page, "3 websites changed.");
      await expectPlace(page);
      const likes = await readAll(siteward, "like-0");
      const alike = likes.filter(({ exclude_ips }) => exclude_ips.join() === model?.exclude_ips.join());
      expect(alike.map(({ domain, privacy, exclude_params }) => [domain, privacy, exclude_params]).sort()).toEqual(
        domains("like", 3).map((domain) => [domain, 1, ["gclid"]]),
      );
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await selectAll(page, "like-0", 4);
      await page.getByRole("button", { name: "Compare …" }).click();
      await page.getByLabel("Compare with lists that I paste").check();
      await page.getByRole("dialog").getByLabel("Excluded URL parameters").fill("gclid\nfbclid");
      await page.getByText("4 of 4 differ.").waitFor();
      await page.getByRole("button", { name: "Bring 4 websites in line" }).click();
      await expectNotice(page, "4 websites changed.");
      const params = (await readAll(siteward, "like-0")).map(({ exclude_params }) => exclude_params.toSorted().join());
      expect(params).toEqual(Array(4).fill("fbclid,gclid"));
      await undoLast(page);
      await expectNotice(page, "4 websites restored.");
    });
  });

  describe("the journal", () => {
    inConsole("takes back two changes, and one website of a change, after a reload and in two tabs", async (page) => {
      const [edited] = await createAll(siteward, domains("journal", 3), { privacy: 1 });
      const readBoth = async () =>
        (await readAll(siteward, "journal-")).map(({ privacy, email }) => privacy * 10 + email);
      for (const [field, value] of [
        [privacyField, "Public"],
        ["E-mail reports", "On"],
      ] as const) {
        await selectAll(page, "journal-", 3);
        await changeSelected(page, 3, { [field]: value });
        if (value === "Public") await page.getByRole("button", { name: "Yes, do it" }).click();
        await expectNotice(page, "3 websites changed.");
      }
      await show(page, `/websites/${edited?.id}`);
      await page.getByLabel("Excluded URL parameters").fill("gclid");
      await page.getByRole("button", { name: "Save" }).click();
      await expectNotice(page, "is saved.");
      await page.getByRole("link", { name: "Journal" }).first().click();
      await page.reload();
      await page.getByRole("button", { name: "Undo Edited: params: + gclid: journal-001.example" }).click();
      await expectNotice(page, "1 website restored.");
      const email = page.getByRole("article").filter({ hasText: "E-mail: On" });
      await email.getByText("3 websites", { exact: true }).click();
      await email.getByRole("button", { name: "Undo journal-002.example" }).click();
      await expectNotice(page, "1 website restored.");
      await expectPlace(page);
      expect((await readBoth()).sort()).toEqual([0, 1, 1]);
      // Another tab has the same journal.
      const other = await page.context().newPage();
      await other.goto(page.url().replace("/journal", "/"));
      await signIn(other, server.apiKey);
      await other.getByRole("link", { name: "Journal" }).click();
      await other.getByRole("button", { name: "Undo the rest E-mail: On: 3 websites" }).click();
      await expectNotice(other, "2 websites restored.");
      await other.getByRole("button", { name: "Undo Statistics: Public: 3 websites" }).click();
      await expectNotice(other, "3 websites restored.");
      expect(await readBoth()).toEqual([10, 10, 10]);
      await lookAgain(page);
      await expect.poll(() => page.getByRole("button", { name: /^Undo (?!journal)/ }).count()).toBe(0);
      page.once("dialog", (dialog) => dialog.accept());
      await page.getByRole("button", { name: "Forget journal" }).click();
      await page.getByText("Nothing was changed in this browser yet.").waitFor();
      expect(await page.evaluate(countBatches)).toBe(0);
    });

    inConsole("has what was done by a tab that was closed", async (page) => {
      await createAll(siteward, domains("closed", 40));
      await slowDown(page, 200);
      await selectAll(page, "closed-", 40);
      await changeSelected(page, 40, { "E-mail reports": "On" });
      await page.getByText(/\b(1[2-9]|2\d) of 40/).waitFor();
      const context = page.context();
      const next = await context.newPage();
      await page.close();
      await next.goto(`${server.url}/console`);
      await signIn(next, server.apiKey);
      await next.getByRole("link", { name: "Journal" }).click();
      await next.getByRole("button", { name: /^Undo E-mail: On/ }).click();
      await expectNotice(next, /^(1[2-9]|[23]\d) websites restored/);
      // Six were on their way, or their answers were, and of six answers the browser may not have kept the line yet.
      expect((await readAll(siteward, "closed-")).filter(({ email }) => email === 1).length).toBeLessThanOrEqual(12);
    });

    inConsole("lasts as long as the page, if the browser keeps none", async (page) => {
      await page.addInitScript('Object.defineProperty(window, "indexedDB", { value: undefined })');
      await page.reload();
      const id = await createOne(siteward, "refused.example");
      await show(page, `/websites/${id}`);
      await page.getByLabel("Excluded URL parameters").fill("gclid");
      await page.getByRole("button", { name: "Save" }).click();
      await expectNotice(page, "refused.example is saved.");
      await undoLast(page);
      await expectNotice(page, "1 website restored.");
      await page.getByText("This browser keeps no journal beyond this page.").waitFor();
      expect(await siteward.websites.get(id)).toMatchObject({ exclude_params: [] });
    });
  });

  inConsole("adding says what will happen to each line and how visible they are, and does it", async (page) => {
    await createAll(siteward, ["exists.example", "bücher-add.example"]);
    await page.getByRole("link", { name: "Add websites" }).click();
    const wrong = ["https://bücher-add.example/de?x=1", "add-001.example\tEXISTS.example", "http://", "192.0.2.1"];
    const field = page.getByLabel("Domains", { exact: true });
    await field.fill([...domains("add", 300), ...wrong].join("\n"));
    await page
      .getByText("Will be added: 300, public · Exists already: 2 · Twice in the list: 1 · Not a domain: 2")
      .waitFor();
    expect(await page.getByRole("cell", { name: "Not a domain" }).count()).toBe(2);
    expect(await page.getByText("URL'").count()).toBe(0);
    await page.getByLabel("Private").check();
    await page.getByText("Will be added: 300, private").waitFor();
    await page.getByText("More settings for all of them").click();
    await page.getByLabel("Excluded URL parameters").fill("utm_*\nutm_*&");
    await page.getByRole("button", { name: "Add 300 websites" }).click();
    await page.getByRole("link", { name: /Excluded URL parameters:.*Line 2/i }).waitFor();
    expect(await readAll(siteward, "add-0")).toEqual([]);
    await page.getByLabel("Excluded URL parameters").fill("utm_*");
    await page.getByRole("button", { name: "Add 300 websites" }).click();
    await expectNotice(page, "300 websites added.");
    await expectPlace(page);
    const added = (await readAll(siteward, "add-")).filter(({ domain }) => /^add-\d+/.test(domain));
    expect(added).toHaveLength(300);
    expect(new Set(added.map(({ privacy, exclude_params }) => `${privacy} ${exclude_params}`))).toEqual(
      new Set(["1 utm_*"]),
    );
    // Chromium types so many lines slowly, but a person pastes them.
    const paste = (count: number) =>
      field.evaluate((area, text) => {
        Object.assign(area, { value: text });
        area.dispatchEvent(new Event("input", { bubbles: true }));
      }, domains("many", count).join("\n"));
    const pasting = await cpuMsOf(page, async () => {
      await paste(100_000);
      await page.getByText("100,000 lines are more than 5,000. Use siteward import.").waitFor();
    });
    await paste(5_000);
    await page.getByText("Will be added: 5,000, private").waitFor();
    const typing = await cpuMsOf(page, () => field.pressSequentially("xxxxx", { delay: 20 }));
    // When each key read all lines, it took 157 ms, and the pasted ones 21 s.
    expect([pasting < 6_000, typing < 400]).toEqual([true, true]);
    page.once("dialog", (dialog) => dialog.accept());
    await goBack(page);
  });

  describe("a website", () => {
    inConsole("says beside each field what is wrong, keeps what was typed, and judges a visit", async (page) => {
      const id = await createOne(siteward, "edit.example", { exclude_ips: ["203.0.113.0/24"] });
      await page.setViewportSize({ width: 360, height: 780 });
      await show(page, `/websites/${id}`);
      await page.getByLabel("IP address of the visitor").fill("203.0.113.9");
      await page.getByText("Not counted. The address 203.0.113.9 matches the excluded entry 203.0.113.0/24.").waitFor();
      await page.getByLabel("Excluded URL parameters").fill("ok");
      const save = page.getByRole("button", { name: "Save" });
      await save.click();
      await expectInView(page.locator(".toast", { hasText: "edit.example is saved." }));
      await expectFocus(save);
      const sent = requestsOf(page);
      await page.getByLabel("Password", { exact: true }).check();
      await page.getByRole("textbox", { name: "Password" }).fill("short");
      await page.getByLabel("Excluded IP addresses").fill("203.0.113.0/24\n300.1.1.1");
      await page.getByLabel("Excluded URL parameters").fill("ok\nnot&ok");
      await page.keyboard.press("ControlOrMeta+Enter");
      await expectInView(page.getByRole("heading", { name: "Nothing was saved" }));
      await expect.poll(() => page.locator(".summary:focus li").count()).toBe(3);
      expect(await page.getByText("is saved.").count()).toBe(0);
      expect(sent.filter((url) => !url.includes("changed_since"))).toEqual([]);
      await page.getByRole("link", { name: /^Excluded IP addresses: .*300\.1\.1\.1/ }).click();
      const field = page.getByLabel("Excluded IP addresses");
      await expectFocus(field);
      expect(await field.inputValue()).toBe("203.0.113.0/24\n300.1.1.1");
      expect(await field.getAttribute("aria-describedby")).toContain("exclude_ips-fault");
      await field.fill("203.0.113.0/24");
      await page.getByLabel("Excluded URL parameters").fill("ok");
      await page.getByRole("textbox", { name: "Password" }).fill("correct horse");
      await save.click();
      await expectNotice(page, "edit.example is saved.");
      const saved = await siteward.websites.get(id);
      expect(saved).toMatchObject({ privacy: 2, has_password: true, exclude_params: ["ok"] });
      await expect.poll(() => page.getByRole("textbox", { name: "Password" }).inputValue()).toBe("");
      await page.getByLabel("Private").check();
      await page.getByText("The password will be deleted, which cannot be undone.").waitFor();
    });

    inConsole("that somebody else has changed keeps both changes, and leaving with changes asks", async (page) => {
      const id = await createOne(siteward, "both.example", { exclude_ips: ["203.0.113.1", "203.0.113.2"] });
      await show(page, `/websites/${id}`);
      await page.getByLabel("Excluded IP addresses").fill("203.0.113.1\n198.51.100.7");
      await page.getByLabel("Password", { exact: true }).check();
      await page.getByRole("textbox", { name: "Password" }).fill("correct horse");
      await siteward.websites.update(id, { email: 1, exclude_ips: ["203.0.113.2", "192.0.2.1"] });
      await page.getByRole("button", { name: "Save" }).click();
      await expectInView(page.getByText("E-mail: Off → On"));
      await page.getByText("IPs: + 192.0.2.1 − 203.0.113.1").waitFor();
      await page.locator(".summary:focus").waitFor();
      await page.getByRole("button", { name: "Keep both changes" }).click();
      await expectPlace(page);
      const asked: string[] = [];
      page.once("dialog", async (dialog) => {
        asked.push(dialog.message());
        await dialog.dismiss();
      });
      await listLink(page).click();
      await expect.poll(() => asked).toHaveLength(1);
      expect(await page.getByLabel("Excluded IP addresses").inputValue()).toBe("192.0.2.1\n198.51.100.7");
      await page.getByRole("button", { name: "Save" }).click();
      await expectNotice(page, "both.example is saved.");
      const both = { email: 1, has_password: true, exclude_ips: ["192.0.2.1", "198.51.100.7"] };
      expect(await siteward.websites.get(id)).toMatchObject(both);
      await goBack(page);
      await show(page, "/websites/999999");
      await page.getByText("This website does not exist, or was deleted.").waitFor();
    });

    inConsole("asks before it becomes public, and whose privacy stays if both have changed it", async (page) => {
      const id = await createOne(siteward, "asks.example", { privacy: 1 });
      await show(page, `/websites/${id}`);
      await page.getByLabel("Public").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "1 website will become public: " }).waitFor();
      await page.getByRole("button", { name: "No, change nothing" }).click();
      await expectPlace(page);
      await siteward.websites.update(id, { privacy: 2, password: "correct horse" });
      for (const choice of ["their “Password”", "my “Public”"]) {
        await page.getByLabel("Public").check();
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByRole("button", { name: "Yes, do it" }).click();
        await page.getByText(/^Statistics: (Private|Public) → Password$/).waitFor();
        await page.getByRole("button", { name: `Keep both changes, with ${choice}` }).click();
        if (choice.startsWith("my")) break;
        // Nothing of it is to be saved, until another has changed it again.
        expect(await page.getByRole("button", { name: "Save" }).getAttribute("aria-disabled")).toBe("true");
        await siteward.websites.update(id, { privacy: 1 });
        await page.reload();
        await page.getByRole("heading", { name: "asks.example" }).waitFor();
        await siteward.websites.update(id, { privacy: 2, password: "correct horse" });
      }
      await page.getByText("The password will be deleted, which cannot be undone.").waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page
        .getByRole("heading", { name: /^1 website will become public: \S+ 1 password will be deleted/ })
        .waitFor();
      expect(await siteward.websites.get(id)).toMatchObject({ privacy: 2, has_password: true });
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await expectNotice(page, "asks.example is saved.");
      expect(await siteward.websites.get(id)).toMatchObject({ privacy: 0, has_password: false });
    });

    inConsole(
      "whose answer is lost is saved, also if somebody else changes it then, and is taken back",
      async (page) => {
        const id = await createOne(siteward, "lost.example");
        await show(page, `/websites/${id}`);
        await page.getByLabel("On", { exact: true }).check();
        await page.getByLabel("Excluded URL parameters").fill("gclid");
        await page.route(
          /\/api\/v1\/websites\/\d+$/,
          async (route) => {
            await route.fetch();
            await siteward.websites.update(id, { exclude_bots: 0, exclude_params: ["fbclid"] });
            await route.abort("connectionreset");
          },
          { times: 1 },
        );
        await page.getByRole("button", { name: "Save" }).click();
        const since = "Somebody else has changed it since: Bots: Ignored → Counted; params: + fbclid − gclid.";
        await expectNotice(page, `lost.example is saved. ${since}`);
        expect(await page.getByLabel("Excluded URL parameters").inputValue()).toBe("fbclid");
        await undoLast(page);
        await expectNotice(page, "1 website restored.");
        const left = { email: 0, exclude_bots: 0, exclude_params: ["fbclid"] };
        expect(await siteward.websites.get(id)).toMatchObject(left);
      },
    );

    inConsole("whose delete is stopped before it is sent stays, with what was typed", async (page) => {
      const id = await createOne(siteward, "stopped.example");
      await show(page, `/websites/${id}`);
      await page.getByLabel("Excluded IP addresses").fill("203.0.113.1");
      await page.route(/\/api\/v1\/websites\/\d+$/, (route) =>
        route.fulfill({ status: 429, headers: { "retry-after": "30" } }),
      );
      for (const stop of [
        () => page.getByRole("button", { name: "Stop" }).click(),
        () => page.keyboard.press("Escape"),
      ]) {
        await page.getByRole("button", { name: "Delete …" }).click();
        await page.getByLabel("Type “stopped.example”").fill("stopped.example");
        const sent = page.waitForResponse((answer) => answer.status() === 429);
        await page.getByRole("button", { name: "Delete", exact: true }).click();
        await sent;
        await stop();
        await page.getByRole("dialog").waitFor({ state: "hidden" });
      }
      const asked = page.waitForEvent("dialog");
      const leaving = listLink(page).click();
      await (await asked).dismiss();
      await leaving;
      expect(await page.getByLabel("Excluded IP addresses").inputValue()).toBe("203.0.113.1");
      expect(await page.getByText("1 website deleted.").count()).toBe(0);
    });
  });

  inConsole("one website is deleted by its domain, and several by their number, as they were seen", async (page) => {
    const id = await createOne(siteward, "löschen.example");
    await createAll(siteward, domains("gone", 30));
    await show(page, `/websites/${id}`);
    await page.getByRole("button", { name: "Delete …" }).click();
    await page.getByRole("heading", { name: "\u2068löschen.example\u2069 (xn--lschen-wxa.example)?" }).waitFor();
    await page.getByLabel("Type “löschen.example”").fill("gone.example");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Type “löschen.example”.", { exact: true }).waitFor();
    await page.getByLabel("Type “löschen.example”").fill("xn--lschen-wxa.example");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await expectNotice(page, "1 website deleted.");
    await expectPlace(page);
    expect(await siteward.websites.getByDomain("löschen.example")).toBeUndefined();
    await search(page, "gone-", 30);
    await page.getByRole("link", { name: "Domain" }).click();
    await page.getByLabel("Select gone-010.example").check();
    await page.getByLabel("Select gone-012.example").click({ modifiers: ["Shift"] });
    // What was changed before the dialog opened is what a person deletes.
    const [first] = await readAll(siteward, "gone-01");
    await siteward.websites.update(first?.id ?? 0, { email: 1 });
    await page.getByRole("button", { name: "Delete …" }).click();
    await page.getByLabel("Type “delete 3 websites”").fill("delete 3 websites");
    await expectOn(page, "Delete");
    const [changed] = await readAll(siteward, "gone-011");
    const [gone] = await readAll(siteward, "gone-012");
    await siteward.websites.update(changed?.id ?? 0, { email: 1 });
    await siteward.websites.delete(gone?.id ?? 0);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await expectNotice(page, "1 website deleted. 1 was so already. 1 refused.");
    await page.getByText("Look at it. It changed: E-mail: Off → On.").waitFor();
    await expectSelected(page, 1);
    await deleteSelected(page, "gone-011.example");
    await expectNotice(page, "1 website deleted.");
    await expectFocus(page.getByRole("link", { name: "gone-013.example" }));
    await selectAll(page, "gone-", 27);
    await deleteSelected(page, "delete 27 websites");
    await expectNotice(page, "27 websites deleted.");
    await expectPlace(page);
    expect(await readAll(siteward, "gone-")).toEqual([]);
  });

  inConsole("a CSV file is what the server has, and changes nothing when the CLI imports it", async (page) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-console-"));
    const [changed] = await createAll(siteward, domains("csv", 120), {
      exclude_ips: ["203.0.113.0/24", "2001:db8::/32"],
      exclude_params: ["@utm", 'a"b', "@c"],
    });
    await createAll(siteward, ["csv-bücher.example"], { email: 1, exclude_bots: 0, exclude_params: ["@-x"] });
    await selectAll(page, "csv-", 121);
    await siteward.websites.update(changed?.id ?? 0, { privacy: 1 });
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export 121 selected" }).click();
    const file = join(folder.path, "websites.csv");
    await (await downloading).saveAs(file);
    await expectNotice(page, "121 websites exported to websites.csv.");
    const cli = join(inject("installed"), "cli/node_modules/.bin/siteward");
    const env = { ...process.env, HOME: folder.path, SITEWARD_API_KEY: server.apiKey, SITEWARD_BASE_URL: server.url };
    const { stdout } = await promisify(execFile)(
      cli,
      ["import", file, "--on-conflict", "update", "--dry-run", "--output", "json"],
      { env },
    );
    expect(JSON.parse(stdout).map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(121).fill("unchanged"));
  });

  test("everything can be done with the keyboard alone, and without a secure context", patient, async () => {
    await createAll(siteward, domains("keys", 12));
    // Plain HTTP in a network, where browsers withhold some functions.
    await using lan = await launchBrowser(["--host-resolver-rules=MAP lan.example 127.0.0.1"]);
    await using opened = await openConsole(lan, server.url.replace(/127\.0\.0\.1|localhost/, "lan.example"));
    const { page } = opened;
    const withheld = "[isSecureContext, typeof crypto.randomUUID, typeof navigator.clipboard]";
    expect(await page.evaluate(withheld)).toEqual([false, "undefined", "undefined"]);
    await type(page, page.getByLabel("API key"), server.apiKey);
    await page.keyboard.press("Enter");
    await page.locator("h1:focus", { hasText: "Websites" }).waitFor();
    await type(page, searchbox(page), "keys-");
    await page.locator(".count", { hasText: /^12 of / }).waitFor();
    await press(page, page.getByRole("link", { name: "Domain" }), "Enter");
    await expectFirst(page, "keys-001.example");
    await press(page, page.getByLabel("Select this page"), "Space");
    await press(page, page.getByRole("button", { name: "Change …" }), "Enter");
    await press(page, page.getByLabel("E-mail reports"), "o", "n");
    await page.getByText("12 websites will change").waitFor();
    await slowDown(page, 3_000);
    await press(page, page.getByRole("button", { name: "Change 12 websites" }), "Enter");
    await page.getByText("0 of 12", { exact: true }).waitFor();
    await press(page, page.getByRole("button", { name: "Stop" }), "Enter");
    await expectNotice(page, /^\d websites? changed\. \d+ left\./);
    await page.unrouteAll({ behavior: "wait" });
    const downloading = page.waitForEvent("download");
    await press(page, page.getByRole("button", { name: /^Export \d+ selected/ }), "Enter");
    await downloading;
    await press(page, page.getByRole("link", { name: "Journal" }).first(), "Enter");
    await press(page, page.getByRole("button", { name: /^Undo / }).first(), "Enter");
    await expectNotice(page, /^\d websites? restored\./);

    await press(page, page.getByRole("link", { name: "Websites", exact: true }), "Enter");
    await press(page, page.getByRole("link", { name: "Add websites" }), "Enter");
    await page.locator("h1:focus", { hasText: "Add websites" }).waitFor();
    await type(page, page.getByLabel("Domains", { exact: true }), "keys-added.example");
    await press(page, page.getByLabel("Public"), "ArrowDown");
    await press(page, page.getByRole("button", { name: "Add 1 website" }), "Enter");
    await expectNotice(page, "1 website added.");
    expect(await siteward.websites.getByDomain("keys-added.example")).toMatchObject({ privacy: 1 });

    await press(page, listLink(page), "Enter");
    await type(page, searchbox(page), "keys-added");
    await press(page, page.getByRole("link", { name: "keys-added.example" }), "Enter");
    await page.locator("h1:focus", { hasText: "keys-added.example" }).waitFor();
    await type(page, page.getByLabel("Excluded IP addresses"), "203.0.113.7");
    const added = await siteward.websites.getByDomain("keys-added.example");
    await siteward.websites.update(added?.id ?? 0, { email: 1 });
    await page.keyboard.press("ControlOrMeta+Enter");
    await press(page, page.getByRole("button", { name: "Keep both changes" }), "Enter");
    await press(page, page.getByLabel("Excluded IP addresses"), "ControlOrMeta+Enter");
    await expectNotice(page, "keys-added.example is saved.");
    await press(page, page.getByRole("button", { name: "Delete …" }), "Enter");
    await page.getByLabel("Type “keys-added.example”").waitFor();
    await page.keyboard.press("Escape");
    // The focus returns a moment before the page knows that its dialog is closed.
    await page.locator("dialog").waitFor({ state: "detached" });
    await expectFocus(page.getByRole("button", { name: "Delete …" }));
    await page.keyboard.press("Enter");
    await type(page, page.getByLabel("Type “keys-added.example”"), "keys-added.example");
    await page.keyboard.press("Enter");
    await expectNotice(page, "1 website deleted.");
    await type(page, searchbox(page), "keys-0");
    await page.locator(".count", { hasText: /^12 of / }).waitFor();
    await press(page, page.getByRole("link", { name: "Skip the table" }), "Enter");
    await expectFocus(page.getByRole("navigation", { name: "Pages" }));
    await press(page, page.getByRole("button", { name: "Select all 12 found" }), "Enter");
    await expectSelected(page, 12);
    await press(page, page.getByRole("button", { name: "Delete …" }), "Enter");
    await type(page, page.getByLabel("Type “delete 12 websites”"), "delete 12 websites");
    await expectOn(page, "Delete");
    await page.keyboard.press("Enter");
    await expectNotice(page, "12 websites deleted.");
    await press(page, page.getByRole("button", { name: "Dismiss" }), "Enter");
    await expectPlace(page);
    await press(page, page.getByRole("button", { name: "Forget key" }), "Enter");
    await page.getByLabel("API key").waitFor();
  });

  test("every screen is accessible, light and dark, on a phone and with a zoom", { timeout: 600_000 }, async () => {
    const account = await createAgency(server);
    await using opened = await openConsole(browser, server.url);
    const { page } = opened;
    await expectAccessible(page);
    await page.getByRole("button", { name: "Continue" }).click();
    await expectAccessible(page, page.getByText("This is not an API key."));
    await signIn(page, account.apiKey);
    await page.getByRole("link", { name: "shop.client.example" }).waitFor();
    // Screen readers follow what is there before it says something.
    expect(await page.locator('.hidden[role="status"]').textContent()).toBe("");
    await page.setViewportSize({ width: 390, height: 900 });
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByLabel("By client").check();
    await expectAccessible(page);
    await page.getByLabel("By client").uncheck();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByLabel("Select this page").check();
    await expectAccessible(page);
    await picture(page, "console-websites");
    await page.getByRole("button", { name: "Compare …" }).click();
    await page.getByText(/of 6 differ/).waitFor();
    await page.getByText("Which ones").first().click();
    await expectAccessible(page);
    await picture(page, "console-compare");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Change …" }).click();
    await page.getByLabel("Add excluded IP addresses").fill("198.51.100.7");
    await expectAccessible(page, page.getByText(/websites will change/));
    await picture(page, "console-change");
    await page.getByLabel(privacyField).selectOption("Public");
    await page.getByRole("button", { name: /^Change \d/ }).click();
    await expectAccessible(page, page.getByRole("heading", { name: "3 websites will become public: " }));
    await page.getByRole("button", { name: "No, change nothing" }).click();
    await page.getByLabel("Add excluded IP addresses").fill("300.1.1.1");
    await page.getByRole("button", { name: /^Change \d/ }).click();
    await expectAccessible(page, page.getByRole("heading", { name: "Nothing was" }));
    await page.getByLabel("Add excluded IP addresses").fill("198.51.100.7");
    await page.getByRole("button", { name: /^Change \d/ }).click();
    await page.getByRole("button", { name: "Yes, do it" }).click();
    await expectNotice(page, "6 websites changed.");
    await expectAccessible(page);
    await page.getByLabel("Select this page").check();
    await page.getByRole("button", { name: "Delete …" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await searchbox(page).fill("none");
    await expectAccessible(page, page.getByText("No website is like that."));
    await show(page, "/add");
    await page.getByLabel("Domains", { exact: true }).fill("new.client.example\nshop.client.example\nfoo bar");
    await expectAccessible(page, page.getByText("Will be added: 1, public · Exists already: 1 · Not a domain: 1"));
    await page.getByLabel("Domains", { exact: true }).fill("");
    await page.getByRole("button", { name: "Add 0 websites" }).waitFor();
    await show(page, `/websites/${account.websiteId}`);
    await expectAccessible(page, page.locator("output", { hasText: /^(Not counted\.|Counted)/ }));
    await page.getByLabel("Excluded IP addresses").fill("300.1.1.1");
    await page.getByRole("button", { name: "Save" }).click();
    await expectAccessible(page, page.getByRole("heading", { name: "Nothing was saved" }));
    await page.getByLabel("Excluded IP addresses").fill("192.0.2.7");
    await account.siteward.websites.update(account.websiteId, { email: 1 });
    await page.getByRole("button", { name: "Save" }).click();
    await expectAccessible(page, page.getByText("E-mail: Off → On"));
    await page.getByRole("button", { name: "Discard mine" }).click();
    await show(page, "/websites/999999");
    await expectAccessible(page, page.getByText("This website does not exist"));
    await show(page, "/journal");
    await page.getByText("6 websites", { exact: true }).click();
    await expectAccessible(page);
    await picture(page, "console-journal");
  });
});
