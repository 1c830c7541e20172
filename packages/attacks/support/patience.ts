/** How long to wait for what must come, such as an answer. That it comes is the promise; on a busy machine, it comes late. */
export const patienceMs = 60_000;
