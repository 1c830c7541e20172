import axe from "axe-core";
import type { Browser, Page } from "playwright-core";

/** A page that a browser shows, and what went wrong on it. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors, violations of the policy and requests to other hosts, so far. */
  readonly faults: string[];
}

/** How a page is shown. */
export interface Look {
  readonly colorScheme: "light" | "dark";
  /** In pixels of CSS. */
  readonly width: number;
}

/** Opens a page, and collects what goes wrong on it. */
export async function openPage(browser: Browser, url: string, { colorScheme, width }: Look): Promise<OpenPage> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => {
    const isOwn = new URL(request.url()).origin === new URL(url).origin;
    if (!isOwn && !request.url().startsWith("data:")) faults.push(`A request to ${request.url()}`);
  });
  await page.exposeFunction("reportViolation", (directive: string, uri: string) => {
    faults.push(`${directive} blocks ${uri}`);
  });
  await page.addInitScript(
    'addEventListener("securitypolicyviolation", (event) => reportViolation(event.effectiveDirective, event.blockedURI))',
  );
  await page.goto(url);
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

const judge =
  'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.flatMap(({ id, impact, nodes }) => ' +
  'impacts.includes(impact) ? nodes.map(({ target }) => id + ": " + target.join(" ")) : []))';

/** Returns the faults of what the page shows, by axe: the rule, and where. The policy of the page does not stop it. */
export async function findAccessFaults(
  page: Page,
  impacts: readonly ("minor" | "moderate" | "serious" | "critical")[],
): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe.source });
  const { result } = await session.send("Runtime.evaluate", {
    expression: judge.replace("impacts", JSON.stringify(impacts)),
    awaitPromise: true,
    returnByValue: true,
  });
  return result.value;
}

/** Returns what the page keeps: local and session storage, cookies and databases. */
export function readStored(page: Page): Promise<unknown[]> {
  return page.evaluate(
    "indexedDB.databases().then((databases) => [{ ...localStorage }, { ...sessionStorage }, document.cookie, databases])",
  );
}

/** Returns the URLs that the page asks for from now on. */
export function requestsOf(page: Page): string[] {
  const urls: string[] = [];
  page.on("request", (request) => {
    // A browser asks again for an icon that it has.
    if (!request.url().endsWith(".svg")) urls.push(request.url());
  });
  return urls;
}

/** Holds requests back that match, until they are released. */
export async function holdBack(page: Page, pattern: string) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(pattern, async (route) => {
    reached.resolve();
    await released.promise;
    // The page may have given it up.
    await route.continue().catch(() => {});
  });
  const release = async () => {
    released.resolve();
    await page.unrouteAll({ behavior: "wait" });
  };
  return { isReached: reached.promise, release };
}

/** Returns how much CPU time in milliseconds the page needs for what is done to it, also on a busy machine. */
export async function cpuMsOf(page: Page, act: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => (await session.send("Performance.getMetrics")).metrics;
  const taskMs = async () => 1_000 * ((await read()).find(({ name }) => name === "TaskDuration")?.value ?? 0);
  const before = await taskMs();
  await act();
  return (await taskMs()) - before;
}
