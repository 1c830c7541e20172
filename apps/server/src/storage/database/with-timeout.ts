/**
 * Waits for the answer, but no longer than `maxWaitMs`. The work behind the answer is not stopped.
 *
 * @throws Error if the answer does not come in time
 */
export async function withTimeout<Answer>(answer: Promise<Answer>, maxWaitMs: number): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`The database did not answer within ${maxWaitMs} ms.`)), maxWaitMs);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
