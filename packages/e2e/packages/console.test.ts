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
import { readStored } from "./support/open-page.ts";
import { type InstalledServer, startInstalledServer } from "./support/start-installed-server.ts";
import {
  deleteSelected,
  expectAccessible,
  expectFocus,
  openConsole,
  press,
  search,
  selectAll,
  show,
  signIn,
  type,
} from "./support/use-console.ts";

const patient = { timeout: 180_000 };

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
      const sent: string[] = [];
      page.on("request", (request) => sent.push(request.url()));
      await page.getByLabel("API key").fill(`${server.apiKey.slice(0, -1)}!`);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("This is not an API key.").waitFor();
      expect(sent).toEqual([]);
      await signIn(page, server.apiKey);
      await page.reload();
      await page.getByRole("heading", { name: "Websites" }).waitFor();
      expect(page.url() + (await page.title()) + (await page.content())).not.toContain(server.apiKey);
      expect(await readStored(page)).toEqual([{}, { "siteward-api-key": server.apiKey }, "", []]);
      await page.getByRole("button", { name: "Forget key" }).click();
      await page.getByLabel("API key").waitFor();
      expect(await readStored(page)).toEqual([{}, {}, "", []]);
      expect(await page.content()).not.toContain(server.apiKey);
      await expect.poll(server.log).toContain("/api/v1/account");
      expect(server.log()).not.toContain(server.apiKey);
    });

    test("that is revoked leads back to where another one is asked for", patient, async () => {
      const apiKey = await createKey("--account", accountId);
      await using opened = await openConsole(browser, server.url, apiKey);
      const { page } = opened;
      await operate(server.databaseUrl, ["keys", "revoke", apiKey.slice(0, 12)]);
      const refused = page.getByText("The API key is unknown, revoked or expired.");
      const isRefused = async () => {
        await page.reload();
        // Once the key is forgotten, another look would find no reason.
        await page.getByRole("table").or(page.getByText("No websites yet.")).or(refused).first().waitFor();
        return await refused.isVisible();
      };
      await expect.poll(isRefused, { timeout: 20_000 }).toBe(true);
      expect(await readStored(page)).toEqual([{}, {}, "", []]);
    });

    inConsole("that is refused while a person works leads there at once", async (page) => {
      // The first list is read with the key that is right.
      await page.getByRole("table").or(page.getByText("No websites yet.")).waitFor();
      await page.route("**/api/v1/websites?*", (route) => {
        const headers = { ...route.request().headers(), authorization: `Bearer ${server.apiKey.slice(0, -1)}!` };
        return route.continue({ headers });
      });
      await page.getByRole("searchbox").fill("any");
      await page.getByText("The API key is unknown, revoked or expired.").waitFor();
      expect(await readStored(page)).toEqual([{}, {}, "", []]);
    });

    test("that can only read shows all, and offers no change", patient, async () => {
      await createAll(siteward, ["read-only.example"]);
      const apiKey = await createKey("--account", accountId, "--scopes", "account:read,websites:read");
      await using opened = await openConsole(browser, server.url, apiKey);
      const { page } = opened;
      await page.getByText("This API key can only read.").waitFor();
      await page.getByRole("link", { name: "read-only.example" }).waitFor();
      expect(await page.getByRole("checkbox").count()).toBe(0);
      const buttons = await page.getByRole("button").allTextContents();
      expect(buttons).toEqual(["Forget key", "Export CSV", "First", "Previous", "Next"]);
      expect(await page.getByRole("link", { name: "Add websites" }).count()).toBe(0);
      await page.getByRole("link", { name: "read-only.example" }).click();
      await page.getByRole("heading", { name: "read-only.example" }).waitFor();
      expect(await page.getByRole("button").allTextContents()).toEqual(["Forget key"]);
      expect(await page.getByLabel("Excluded IP addresses").isDisabled()).toBe(true);
      await show(page, "/add");
      await page.getByText("This API key can only read.").waitFor();
      expect(await page.getByRole("button", { name: /^Add/ }).count()).toBe(0);
    });

    test("that may not read the account can still write", patient, async () => {
      const apiKey = await createKey("--account", accountId, "--scopes", "websites:read,websites:write");
      await using opened = await openConsole(browser, server.url, apiKey);
      await opened.page.getByRole("link", { name: "Add websites" }).waitFor();
      expect(await opened.page.getByText("This API key can only read.").count()).toBe(0);
    });
  });

  test("names with markup, directions or control characters are text", patient, async () => {
    const name = '<img src=x onerror="alert(1)">\u202egnp.exe\u2066 & &lt;b&gt;';
    const who = ["--name", name, "--email", "hostile@example.com"];
    const { id } = await operate(server.databaseUrl, ["accounts", "create", ...who]);
    const apiKey = await createKey("--account", String(id));
    await using opened = await openConsole(browser, server.url, apiKey);
    const { page } = opened;
    expect(await page.locator("header").textContent()).toContain(name);
    expect(await page.locator("header img").count()).toBe(0);
    await page.getByText("No websites yet.").waitFor();
    await page.getByRole("link", { name: "Add the first ones" }).click();
    await page.getByLabel("Domains", { exact: true }).waitFor();
    await page.goBack();
    const hostile = "<script>alert(1)</script>\u202e";
    await page.getByRole("searchbox").fill(hostile);
    await page.getByText(`No domain contains “${hostile}”.`).waitFor();
    await page.getByRole("link", { name: "Add <script>" }).click();
    await page.getByRole("cell", { name: "Not a domain" }).waitFor();
    expect(await page.getByRole("rowheader").textContent()).toBe(hostile);
    await page.getByLabel("Domains", { exact: true }).fill("hostile.example");
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
    test("is searched, sorted and paged, as the URL says, behind a prefix too", patient, async () => {
      await createAll(siteward, domains("list", 120));
      await using proxy = await startPrefixProxy(server.url);
      await using opened = await openConsole(browser, `${proxy.url}/siteward`, server.apiKey);
      const { page } = opened;
      await search(page, "list-", "120 websites");
      await page.getByRole("link", { name: "Domain" }).click();
      await page.getByRole("columnheader", { name: "Domain" }).and(page.locator('[aria-sort="ascending"]')).waitFor();
      await expect.poll(() => firstDomain(page)).toBe("list-001.example");
      await page.getByRole("button", { name: "Next" }).click();
      await expect.poll(() => firstDomain(page)).toBe("list-051.example");
      await page.reload();
      await expect.poll(() => firstDomain(page)).toBe("list-051.example");
      await page.getByRole("button", { name: "Previous" }).click();
      await expect.poll(() => firstDomain(page)).toBe("list-001.example");
      await page.goBack();
      await expect.poll(() => firstDomain(page)).toBe("list-051.example");
      await page.getByLabel("Per page").selectOption("100");
      await expect.poll(() => page.getByRole("rowheader").count()).toBe(100);
      await page.getByRole("link", { name: "Domain" }).click();
      await expect.poll(() => firstDomain(page)).toBe("list-120.example");
      await page.getByRole("searchbox").fill("list-no");
      await page.getByText("No domain contains “list-no”.").waitFor();
      await page.getByRole("button", { name: "Show all" }).click();
      await page.getByRole("table").waitFor();
    });

    inConsole("keeps what is selected elsewhere, and selects rows between two", async (page) => {
      await createAll(siteward, domains("pick", 60));
      await search(page, "pick-", "60 websites");
      await page.getByRole("link", { name: "Domain" }).click();
      await page.getByLabel("Select pick-002.example").click();
      await page.getByLabel("Select pick-005.example").click({ modifiers: ["Shift"] });
      await page.getByText("4 websites selected", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByLabel("Select pick-060.example").click();
      await search(page, "pick-05", "10 websites");
      await page.getByText("5 websites selected", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Select all 10 that match" }).click();
      await page.getByText("15 websites selected", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Clear" }).click();
    });
  });

  describe("a change of many", () => {
    inConsole("keeps what others change, names what fails, and is taken back", async (page) => {
      const created = await createAll(siteward, domains("bulk", 300));
      const [first, second, third, ...others] = created.toSorted((one, other) => one.id - other.id);
      await selectAll(page, "bulk-", 300);
      await page.getByRole("button", { name: "Change …" }).click();
      await page.getByLabel("Who may see the statistics").selectOption("Private");
      await page.getByLabel("Add excluded IP addresses").fill("198.51.100.7");
      await page.getByText("300 websites will change, 0 stay as they are.").waitFor();
      // Somebody else changes one website meanwhile, and deletes another.
      await siteward.websites.update(first?.id ?? 0, { exclude_ips: ["203.0.113.9"] });
      await siteward.websites.delete(second?.id ?? 0);
      await page.getByRole("button", { name: "Change 300 websites" }).click();
      await page.getByRole("heading", { name: "1 failed" }).waitFor();
      await page
        .getByText(second?.domain ?? "")
        .last()
        .waitFor();
      await page.getByText("299 websites changed. 1 refused.").waitFor();
      const changed = await readAll(siteward, "bulk-");
      expect(new Set(changed.map(({ privacy }) => privacy))).toEqual(new Set([1]));
      expect(changed.find(({ id }) => id === first?.id)?.exclude_ips).toEqual(["203.0.113.9", "198.51.100.7"]);
      expect(
        others.every(({ id }) => changed.find((one) => one.id === id)?.exclude_ips.join() === "198.51.100.7"),
      ).toBe(true);

      await siteward.websites.update(third?.id ?? 0, { email: 1 });
      await page.getByRole("button", { name: "Undo the change" }).click();
      await page.getByRole("heading", { name: "299 websites become public: " }).waitFor();
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await page.getByText("298 websites restored. 1 refused.").waitFor();
      await page.getByText(`${third?.domain} was changed by somebody else. Look at it.`).waitFor();
      const restored = await readAll(siteward, "bulk-");
      expect(restored.filter(({ privacy }) => privacy === 1).map(({ id }) => id)).toEqual([third?.id]);
      expect(restored.find(({ id }) => id === first?.id)?.exclude_ips).toEqual(["203.0.113.9"]);
    });

    inConsole("that is stopped is taken back too, and says which passwords it will delete", async (page) => {
      await createAll(siteward, domains("stop", 100));
      const [protectedSite] = await createAll(siteward, ["stop-password.example"], {
        privacy: 2,
        password: "correct horse",
      });
      const countChanged = async () => (await readAll(siteward, "stop-")).filter(({ email }) => email === 1).length;
      await slowDown(page);
      await selectAll(page, "stop-", 101);
      await page.getByRole("button", { name: "Change …" }).click();
      await page.getByLabel("Who may see the statistics").selectOption("Private");
      await page.getByLabel("E-mail reports").selectOption("On");
      await page.getByRole("button", { name: "Change 101 websites" }).click();
      await page.getByRole("heading", { name: "1 password will be deleted, which cannot be undone: " }).waitFor();
      expect(await countChanged()).toBe(0);
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await page.getByText(/\b([6-9]|[1-4]\d) of 101/).waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      const count = await countChanged();
      expect(count).toBeGreaterThan(5);
      expect(count).toBeLessThan(101);
      await page.getByText(`${count} websites changed. ${101 - count} left.`).waitFor();
      await page.getByText(`${101 - count} websites selected`, { exact: true }).waitFor();
      // Those that are under way are not stopped. The others are, also on a machine that is slow.
      await page.unrouteAll({ behavior: "wait" });
      await slowDown(page, 3_000);
      await page.getByRole("button", { name: "Undo the change" }).click();
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await page.getByText(/^[1-9]\d* of \d+$/).waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await page.unrouteAll({ behavior: "wait" });
      const left = await countChanged();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThan(count);
      await page.getByRole("button", { name: `Continue with the ${left} left` }).click();
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await page.getByText(`${left} websites restored.`).waitFor();
      const restored = await readAll(siteward, "stop-");
      expect(restored.filter(({ email }) => email === 1)).toEqual([]);
      expect(restored.filter(({ id, privacy }) => privacy === 1 && id !== protectedSite?.id)).toEqual([]);
    });

    inConsole("that is not valid sends one request, and says what is wrong", async (page) => {
      await createAll(siteward, domains("wrong", 20));
      await selectAll(page, "wrong-", 20);
      await page.getByRole("button", { name: "Change …" }).click();
      const sent: string[] = [];
      page.on("request", (request) => sent.push(request.method()));
      await page.getByLabel("Add excluded IP addresses").fill("300.1.1.1");
      await page.getByRole("button", { name: "Change 20 websites" }).click();
      await page.getByRole("link", { name: /"300\.1\.1\.1"/ }).click();
      await expectFocus(page.getByLabel("Add excluded IP addresses"));
      expect(sent.filter((method) => method !== "GET")).toEqual(["PUT"]);
      await page.getByRole("button", { name: "Cancel" }).click();
      await expectFocus(page.getByRole("button", { name: "Change …" }));
    });

    inConsole("whose key is revoked goes on with a new one, and all is taken back", async (page) => {
      await createAll(siteward, domains("revoked", 20));
      await selectAll(page, "revoked-", 20);
      await page.getByRole("button", { name: "Change …" }).click();
      await page.getByLabel("Who may see the statistics").selectOption("Private");
      const countPrivate = async () =>
        (await readAll(siteward, "revoked-")).filter(({ privacy }) => privacy === 1).length;
      let requests = 0;
      await page.route(/\/api\/v1\/websites\/\d+$/, (route) => {
        requests += 1;
        const authorization = `Bearer ${server.apiKey.slice(0, -1)}${requests > 5 ? "!" : server.apiKey.slice(-1)}`;
        return route.continue({ headers: { ...route.request().headers(), authorization } });
      });
      await page.getByRole("button", { name: "Change 20 websites" }).click();
      await page.getByText("The API key is unknown, revoked or expired.").waitFor();
      await page.unrouteAll({ behavior: "wait" });
      // Requests that were on their way are answered.
      await expect.poll(countPrivate).toBe(5);
      await signIn(page, server.apiKey);
      await page.getByText("5 websites changed. 15 left.").waitFor();
      await page.getByText("15 websites selected", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Continue with the 15 left" }).click();
      await page.getByText("15 websites changed.").waitFor();
      await page.getByRole("button", { name: "Undo the change" }).click();
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await page.getByText("20 websites restored.").waitFor();
      expect(await countPrivate()).toBe(0);
    });

    inConsole("waits for a server that is away, and says so", async (page) => {
      await createAll(siteward, domains("away", 10));
      await selectAll(page, "away-", 10);
      await page.getByRole("button", { name: "Change …" }).click();
      await page.getByLabel("E-mail reports").selectOption("On");
      await page.route(/\/api\/v1\/websites\/\d+$/, (route) => route.abort("connectionrefused"));
      await page.getByRole("button", { name: "Change 10 websites" }).click();
      await page.getByText("Waiting for the server, 10 left").waitFor();
      await page.unrouteAll({ behavior: "wait" });
      await page.getByText("10 websites changed.").waitFor();
      expect((await readAll(siteward, "away-")).every(({ email }) => email === 1)).toBe(true);
    });
  });

  describe("adding", () => {
    inConsole("says what will happen to each of 300 lines and how visible they are, and does it", async (page) => {
      await createAll(siteward, ["exists.example", "bücher-add.example"]);
      await page.getByRole("link", { name: "Add websites" }).click();
      const wrong = [
        "EXISTS.example",
        "https://bücher-add.example/de?x=1",
        "add-001.example",
        "foo bar",
        "192.0.2.1",
        "*.example.com",
        "localhost",
      ];
      await page.getByLabel("Domains", { exact: true }).fill([...domains("add", 300), ...wrong].join("\n"));
      await page
        .getByText("Will be added: 300, public · Exists already: 2 · Twice in the list: 1 · Not a domain: 4")
        .waitFor();
      expect(await page.getByRole("cell", { name: "Not a domain" }).count()).toBe(4);
      await page.getByLabel("Private").check();
      await page.getByText("Will be added: 300, private").waitFor();
      await page.getByText("More settings for all of them").click();
      await page.getByLabel("Excluded URL parameters").fill("utm_*\nutm_*&");
      await page.getByRole("button", { name: "Add 300 websites" }).click();
      await page.getByRole("link", { name: /Excluded URL parameters:.*Entry 2/i }).waitFor();
      expect(await readAll(siteward, "add-0")).toEqual([]);
      await page.getByLabel("Excluded URL parameters").fill("utm_*");
      await page.getByRole("button", { name: "Add 300 websites" }).click();
      await page.getByText("300 websites added.").first().waitFor();
      const added = await readAll(siteward, "add-");
      expect(added.filter(({ domain }) => /^add-\d+/.test(domain))).toHaveLength(300);
      const settings = added
        .filter(({ domain }) => /^add-\d+/.test(domain))
        .map(({ privacy, exclude_params }) => [privacy, exclude_params]);
      expect(new Set(settings.map(String))).toEqual(new Set(["1,utm_*"]));
      // Chromium types so many lines slowly, but a person pastes them.
      const many = JSON.stringify(domains("many", 5_001).join("\n"));
      const paste = `value = ${many}; dispatchEvent(new Event("input", { bubbles: true }))`;
      await page.evaluate(`with (document.querySelector("textarea")) { ${paste} }`);
      await page.getByText("Use siteward import.").waitFor();
    });
  });

  describe("a website", () => {
    inConsole("says beside each field what is wrong, keeps what was typed, and judges a visit", async (page) => {
      const [website] = await createAll(siteward, ["edit.example"], { exclude_ips: ["203.0.113.0/24"] });
      await show(page, `/websites/${website?.id}`);
      await page.getByLabel("IP address of the visitor").fill("203.0.113.9");
      await page.getByText("Not counted. The address 203.0.113.9 matches the excluded entry 203.0.113.0/24.").waitFor();
      await page.getByLabel("Password", { exact: true }).check();
      await page.getByRole("textbox", { name: "Password" }).fill("short");
      await page.getByLabel("Excluded IP addresses").fill("203.0.113.0/24\n300.1.1.1");
      await page.getByLabel("Excluded URL parameters").fill("ok\nnot&ok");
      await page.keyboard.press("ControlOrMeta+Enter");
      await page.getByRole("heading", { name: "Nothing was saved" }).waitFor();
      await expect.poll(() => page.locator(".summary:focus li").count()).toBe(3);
      await page.getByRole("link", { name: /^Excluded IP addresses: .*300\.1\.1\.1/ }).click();
      const field = page.getByLabel("Excluded IP addresses");
      await expectFocus(field);
      expect(await field.inputValue()).toBe("203.0.113.0/24\n300.1.1.1");
      expect(await field.getAttribute("aria-describedby")).toContain("exclude_ips-fault");
      await field.fill("203.0.113.0/24");
      await page.getByLabel("Excluded URL parameters").fill("ok");
      await page.getByRole("textbox", { name: "Password" }).fill("correct horse");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("edit.example is saved.").waitFor();
      const saved = await siteward.websites.get(website?.id ?? 0);
      expect(saved).toMatchObject({ privacy: 2, has_password: true, exclude_params: ["ok"] });
      await expect.poll(() => page.getByRole("textbox", { name: "Password" }).inputValue()).toBe("");
    });

    inConsole("that somebody else has changed keeps both changes, and leaving with changes asks", async (page) => {
      const [website] = await createAll(siteward, ["both.example"], { exclude_ips: ["203.0.113.1", "203.0.113.2"] });
      const id = website?.id ?? 0;
      await show(page, `/websites/${id}`);
      await page.getByLabel("Excluded IP addresses").fill("203.0.113.1\n198.51.100.7");
      await page.getByLabel("Password", { exact: true }).check();
      await page.getByRole("textbox", { name: "Password" }).fill("correct horse");
      await siteward.websites.update(id, { email: 1, exclude_ips: ["203.0.113.2", "192.0.2.1"] });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("E-mail reports: Off → On").waitFor();
      await page.getByText("Excluded IP addresses: 192.0.2.1 added").waitFor();
      await page.getByText("Excluded IP addresses: 203.0.113.1 removed").waitFor();
      await page.getByRole("button", { name: "Keep both changes" }).click();
      const asked: string[] = [];
      page.once("dialog", async (dialog) => {
        asked.push(dialog.message());
        await dialog.dismiss();
      });
      await page.getByRole("link", { name: "Websites", exact: true }).click();
      await expect.poll(() => asked).toHaveLength(1);
      expect(await page.getByLabel("Excluded IP addresses").inputValue()).toBe("192.0.2.1\n198.51.100.7");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("both.example is saved.").waitFor();
      const both = { email: 1, has_password: true, exclude_ips: ["192.0.2.1", "198.51.100.7"] };
      expect(await siteward.websites.get(id)).toMatchObject(both);
      await page.getByRole("link", { name: "Websites", exact: true }).click();
      await page.getByRole("heading", { name: "Websites" }).waitFor();
      await show(page, "/websites/999999");
      await page.getByText("This website does not exist, or was deleted.").waitFor();
    });

    inConsole("asks before it becomes public, or loses the password that somebody else has set", async (page) => {
      const [website] = await createAll(siteward, ["asks.example"], { privacy: 1 });
      const id = website?.id ?? 0;
      await show(page, `/websites/${id}`);
      await page.getByLabel("Public").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "1 website becomes public: " }).waitFor();
      await page.getByRole("button", { name: "No, change nothing" }).click();
      await siteward.websites.update(id, { privacy: 2, password: "correct horse" });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await page.getByText("Who may see the statistics: Private → Password").waitFor();
      await page.getByRole("button", { name: "Keep both changes" }).click();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: /^1 website becomes public: \S+ 1 password will be deleted/ }).waitFor();
      expect(await siteward.websites.get(id)).toMatchObject({ privacy: 2, has_password: true });
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await page.getByText("asks.example is saved.").waitFor();
      expect(await siteward.websites.get(id)).toMatchObject({ privacy: 0, has_password: false });
    });

    inConsole("whose delete is stopped before it is sent stays, with what was typed", async (page) => {
      const [website] = await createAll(siteward, ["stopped.example"]);
      await show(page, `/websites/${website?.id}`);
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
      const leaving = page.getByRole("link", { name: "Websites", exact: true }).click();
      await (await asked).dismiss();
      await leaving;
      expect(await page.getByLabel("Excluded IP addresses").inputValue()).toBe("203.0.113.1");
      expect(await page.getByText("1 website deleted.").count()).toBe(0);
    });
  });

  inConsole("one website is deleted by its domain, and several by their number", async (page) => {
    const [website] = await createAll(siteward, ["löschen.example"]);
    await createAll(siteward, domains("gone", 30));
    await show(page, `/websites/${website?.id}`);
    await page.getByRole("button", { name: "Delete …" }).click();
    await page.getByLabel("Type “löschen.example”").fill("gone.example");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Type “löschen.example”.", { exact: true }).waitFor();
    await page.getByLabel("Type “löschen.example”").fill(website?.domain ?? "");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("1 website deleted.").waitFor();
    await selectAll(page, "gone-", 30);
    await deleteSelected(page, 30);
    expect(await readAll(siteward, "gone-")).toEqual([]);
    expect(await siteward.websites.getByDomain("löschen.example")).toBeUndefined();
  });

  inConsole(
    "a website that somebody has changed since it was selected is deleted when that was shown",
    async (page) => {
      const [website, gone] = await createAll(siteward, domains("since", 3));
      const id = website?.id ?? 0;
      await selectAll(page, "since-", 3);
      await siteward.websites.update(id, { email: 1 });
      await siteward.websites.delete(gone?.id ?? 0);
      await page.getByRole("button", { name: "Delete …" }).click();
      await page.getByLabel("Type “delete 3 websites”").fill("delete 3 websites");
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByText("1 website deleted. 1 was so already. 1 refused.").waitFor();
      await page.getByText("Look at it. It changed: E-mail reports: Off → On.").waitFor();
      await page.getByText("1 website selected", { exact: true }).waitFor();
      expect(await readAll(siteward, "since-")).toMatchObject([{ id, email: 1 }]);
      await page.getByRole("button", { name: "Delete …" }).click();
      await page.getByLabel("Type “since-001.example”").fill("since-001.example");
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByText("1 website deleted.").waitFor();
      expect(await readAll(siteward, "since-")).toEqual([]);
    },
  );

  inConsole("a CSV file changes nothing when the CLI imports it", async (page) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-console-"));
    await createAll(siteward, domains("csv", 120), {
      exclude_ips: ["203.0.113.0/24", "2001:db8::/32"],
      exclude_params: ["-utm", 'a"b', "@c"],
    });
    await createAll(siteward, ["csv-bücher.example"], { email: 1, exclude_bots: 0, exclude_params: ["'-x"] });
    await search(page, "csv-", "121 websites");
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const file = join(folder.path, "websites.csv");
    await (await downloading).saveAs(file);
    await page.getByText("121 websites exported to websites.csv.").waitFor();
    const cli = join(inject("installed"), "cli/node_modules/.bin/siteward");
    const env = { ...process.env, HOME: folder.path, SITEWARD_API_KEY: server.apiKey, SITEWARD_BASE_URL: server.url };
    const { stdout } = await promisify(execFile)(
      cli,
      ["import", file, "--on-conflict", "update", "--dry-run", "--output", "json"],
      { env },
    );
    expect(JSON.parse(stdout).map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(121).fill("unchanged"));
  });

  test("everything can be done with the keyboard alone", patient, async () => {
    await createAll(siteward, domains("keys", 12));
    await using opened = await openConsole(browser, server.url);
    const { page } = opened;
    await type(page, page.getByLabel("API key"), server.apiKey);
    await page.keyboard.press("Enter");
    await page.locator("h1:focus", { hasText: "Websites" }).waitFor();
    await type(page, page.getByRole("searchbox"), "keys-");
    await page.getByText("12 websites match “keys-”").waitFor();
    await press(page, page.getByRole("link", { name: "Domain" }), "Enter");
    await expect.poll(() => firstDomain(page)).toBe("keys-001.example");
    await press(page, page.getByLabel("Select this page"), "Space");
    await press(page, page.getByRole("button", { name: "Change …" }), "Enter");
    await press(page, page.getByLabel("E-mail reports"), "o", "n");
    await page.getByText("12 websites will change").waitFor();
    await slowDown(page, 3_000);
    await press(page, page.getByRole("button", { name: "Change 12 websites" }), "Enter");
    await page.getByText("0 of 12", { exact: true }).waitFor();
    await press(page, page.getByRole("button", { name: "Stop" }), "Enter");
    await page.getByText(/^\d websites? changed\. \d+ left\.$/).waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await press(page, page.getByRole("button", { name: "Undo the change" }), "Enter");
    await page.getByText(/^\d websites? restored\.$/).waitFor();
    const downloading = page.waitForEvent("download");
    await press(page, page.getByRole("button", { name: "Export selected (CSV)" }), "Enter");
    await downloading;

    await press(page, page.getByRole("link", { name: "Add websites" }), "Enter");
    await page.locator("h1:focus", { hasText: "Add websites" }).waitFor();
    await type(page, page.getByLabel("Domains", { exact: true }), "keys-added.example");
    await press(page, page.getByLabel("Public"), "ArrowDown");
    await press(page, page.getByRole("button", { name: "Add 1 website" }), "Enter");
    await page.getByText("1 website added.").first().waitFor();
    expect(await siteward.websites.getByDomain("keys-added.example")).toMatchObject({ privacy: 1 });

    await press(page, page.getByRole("link", { name: "Websites", exact: true }), "Enter");
    await type(page, page.getByRole("searchbox"), "keys-added");
    await press(page, page.getByRole("link", { name: "keys-added.example" }), "Enter");
    await page.locator("h1:focus", { hasText: "keys-added.example" }).waitFor();
    await type(page, page.getByLabel("Excluded IP addresses"), "203.0.113.7");
    const added = await siteward.websites.getByDomain("keys-added.example");
    await siteward.websites.update(added?.id ?? 0, { email: 1 });
    await page.keyboard.press("ControlOrMeta+Enter");
    await press(page, page.getByRole("button", { name: "Keep both changes" }), "Enter");
    await press(page, page.getByLabel("Excluded IP addresses"), "ControlOrMeta+Enter");
    await page.getByText("keys-added.example is saved.").waitFor();
    await press(page, page.getByRole("button", { name: "Delete …" }), "Enter");
    await page.getByLabel("Type “keys-added.example”").waitFor();
    await page.keyboard.press("Escape");
    // The focus returns a moment before the page knows that its dialog is closed.
    await page.locator("dialog").waitFor({ state: "detached" });
    await expectFocus(page.getByRole("button", { name: "Delete …" }));
    await page.keyboard.press("Enter");
    await type(page, page.getByLabel("Type “keys-added.example”"), "keys-added.example");
    await page.keyboard.press("Enter");
    await page.getByText("1 website deleted.").waitFor();
    await press(page, page.getByRole("link", { name: "Skip the table" }), "Enter");
    await expectFocus(page.getByRole("navigation", { name: "Pages" }));
    await type(page, page.getByRole("searchbox"), "keys-0");
    await press(page, page.getByRole("button", { name: "Select all 12 that match" }), "Enter");
    await page.getByText("12 websites selected", { exact: true }).waitFor();
    await press(page, page.getByRole("button", { name: "Delete …" }), "Enter");
    await type(page, page.getByLabel("Type “delete 12 websites”"), "delete 12 websites");
    await page.keyboard.press("Enter");
    await page.getByText("12 websites deleted.").waitFor();
    await press(page, page.getByRole("button", { name: "Forget key" }), "Enter");
    await page.getByLabel("API key").waitFor();
  });

  test("works over plain HTTP in a network, where browsers withhold what needs a secure context", patient, async () => {
    await using lan = await launchBrowser(["--host-resolver-rules=MAP lan.example 127.0.0.1"]);
    const url = server.url.replace(/127\.0\.0\.1|localhost/, "lan.example");
    await using opened = await openConsole(lan, url, server.apiKey);
    const { page } = opened;
    expect(await page.evaluate("[isSecureContext, typeof crypto.randomUUID, typeof navigator.clipboard]")).toEqual([
      false,
      "undefined",
      "undefined",
    ]);
    await page.getByRole("link", { name: "Add websites" }).click();
    await page.getByLabel("Domains", { exact: true }).fill(domains("lan", 3).join("\n"));
    await page.getByRole("button", { name: "Add 3 websites" }).click();
    await page.getByText("3 websites added.").first().waitFor();
    await page.getByRole("link", { name: "Websites", exact: true }).click();
    await selectAll(page, "lan-", 3);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export selected (CSV)" }).click();
    await downloading;
    await deleteSelected(page, 3);
  });

  test("every screen is accessible, light and dark, on a phone and with a zoom", { timeout: 600_000 }, async () => {
    const account = await createAgency(server);
    await using opened = await openConsole(browser, server.url);
    const { page } = opened;
    await expectAccessible(page);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("This is not an API key.").waitFor();
    await expectAccessible(page);
    await signIn(page, account.apiKey);
    await page.getByRole("link", { name: "shop.client.example" }).waitFor();
    await expectAccessible(page);
    await page.getByLabel("Select this page").check();
    await expectAccessible(page);
    await picture(page, "console-websites");
    await page.getByRole("button", { name: "Change …" }).click();
    await page.getByLabel("Add excluded IP addresses").fill("198.51.100.7");
    await page.getByText(/websites will change/).waitFor();
    await expectAccessible(page);
    await picture(page, "console-change");
    await page.getByLabel("Who may see the statistics").selectOption("Public");
    await page.getByRole("button", { name: /^Change \d/ }).click();
    await page.getByRole("heading", { name: "3 websites become public: " }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "No, change nothing" }).click();
    await page.getByLabel("Add excluded IP addresses").fill("300.1.1.1");
    await page.getByRole("button", { name: /^Change \d/ }).click();
    await page.getByRole("button", { name: "Yes, do it" }).click();
    await page.getByRole("heading", { name: "Nothing was" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Delete …" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("searchbox").fill("none");
    await page.getByText("No domain contains").waitFor();
    await expectAccessible(page);
    await show(page, "/add");
    await page.getByLabel("Domains", { exact: true }).fill("new.client.example\nshop.client.example\nfoo bar");
    await page.getByText("Will be added: 1, public · Exists already: 1 · Not a domain: 1").waitFor();
    await expectAccessible(page);
    await page.getByLabel("Domains", { exact: true }).fill("");
    await page.getByRole("button", { name: "Add 0 websites" }).waitFor();
    await show(page, `/websites/${account.websiteId}`);
    await page.locator("output", { hasText: /^(Not counted\.|Counted)/ }).waitFor();
    await expectAccessible(page);
    await page.getByLabel("Excluded IP addresses").fill("300.1.1.1");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Nothing was saved" }).waitFor();
    await expectAccessible(page);
    await page.getByLabel("Excluded IP addresses").fill("192.0.2.7");
    await account.siteward.websites.update(account.websiteId, { email: 1 });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("E-mail reports: Off → On").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Discard mine" }).click();
    await show(page, "/websites/999999");
    await page.getByText("This website does not exist").waitFor();
    await expectAccessible(page);
  });
});

/** Returns domains such as `bulk-001.example`. */
function domains(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${String(at + 1).padStart(3, "0")}.example`);
}

type Settings = Omit<Parameters<Siteward["websites"]["create"]>[0], "domain">;

function createAll(siteward: Siteward, names: readonly string[], settings: Settings = {}): Promise<Website[]> {
  return Promise.all(names.map((domain) => siteward.websites.create({ domain, ...settings })));
}

function readAll(siteward: Siteward, term: string): Promise<Website[]> {
  return siteward.websites.list({ search: term }).toArray({ limit: Number.POSITIVE_INFINITY });
}

/** Creates an account that looks like that of an agency. */
async function createAgency({ url, createKey }: InstalledServer) {
  const apiKey = await createKey();
  const siteward = new Siteward({ apiKey, baseUrl: url });
  const client = { exclude_ips: ["203.0.113.0/24"], exclude_params: ["utm_*", "gclid"] };
  await createAll(
    siteward,
    ["bücher.example", "intranet.client.example", "a-rather-long-name-of-a-website.client.example"],
    { privacy: 1 },
  );
  await createAll(siteward, ["docs.client.example", "blog.client.example"], client);
  const [website] = await createAll(siteward, ["shop.client.example"], client);
  return { apiKey, siteward, websiteId: website?.id ?? 0 };
}

/** Writes a picture for the documentation, if somebody asks for it. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env["TEST_SITEWARD_PICTURES"] !== "1") return;
  await page.setViewportSize({ width: 1280, height: 640 });
  await page.screenshot({ path: join(import.meta.dirname, `../../../docs/pictures/${name}.png`) });
}

/** Lets each change of a website take long enough to stop what comes after it. */
async function slowDown(page: Page, delayMs = 100): Promise<void> {
  await page.route(/\/api\/v1\/websites\/\d+$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await route.continue();
  });
}

async function firstDomain(page: Page): Promise<string | null> {
  return await page.getByRole("rowheader").first().textContent();
}
