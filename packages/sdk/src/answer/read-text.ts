/** The largest page of the service, 100 websites with the longest lists, has far less than these 64 MiB. */
const maxLength = 67_108_864;

/**
 * Reads the body of a response as text, and stops when it has more than the service ever sends. What is left of it is not
 * valid JSON, so the call fails with `unexpected_response`.
 */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  // Without a body there is nothing to read, and a fetch without streams, such as that of React Native, has only this.
  if (reader === undefined) return await response.text();
  const decoder = new TextDecoder();
  for (let text = ""; ; ) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    if (done) return text;
    if (text.length > maxLength) {
      await reader.cancel();
      return text;
    }
  }
}
