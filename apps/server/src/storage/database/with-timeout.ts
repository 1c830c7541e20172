/** @throws Error if the answer does not come in time; the work that would answer continues */
export async function withTimeout<Answer>(answer: Promise<Answer>, maxWaitMs: number): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`There was no answer within ${maxWaitMs} ms.`)), maxWaitMs);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
