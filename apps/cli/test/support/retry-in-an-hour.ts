/** A full minute in about an hour, and the header of an answer that asks to retry then. Commands wait for up to a minute. */
export function retryInAnHour(): { readonly minute: string; readonly headers: { readonly "retry-after": string } } {
  const end = new Date(Date.now() + 3_600_000).setUTCSeconds(0, 0);
  const seconds = Math.ceil((end - Date.now()) / 1_000);
  return { minute: `${new Date(end).toISOString().slice(0, 16)}Z`, headers: { "retry-after": String(seconds) } };
}
