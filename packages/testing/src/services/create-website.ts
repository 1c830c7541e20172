/** Creates a website, as any client does. */
export async function createWebsite(
  send: typeof fetch,
  url: string,
  { apiKey, domain }: Readonly<Record<"apiKey" | "domain", string>>,
): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ domain });
  const answer = await send(`${url}/api/v1/websites`, { method: "POST", headers, body });
  if (answer.status !== 201) throw new Error(`${domain} was not created: ${await answer.text()}`);
}
