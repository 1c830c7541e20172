import type { Service, ServiceAccount } from "@siteward/testing/services/service";

/** What a request got, as it can be changed. */
export interface ChangeableAnswer {
  readonly method: string;
  status: number;
  readonly headers: Headers;
  body: string;
}

/** Returns a service whose answers are changed on their way to the caller. Closing it closes the service itself. */
export function changeAnswers(service: Service, change: (answer: ChangeableAnswer) => void): Service {
  return {
    name: "the changed service",
    createAccount(options) {
      const account = service.createAccount(options);
      return { ...account, fetch: fetchChanged(account, change) };
    },
    nowMs: () => service.nowMs(),
    advanceClock: (byMs) => service.advanceClock(byMs),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

function fetchChanged(account: ServiceAccount, change: (answer: ChangeableAnswer) => void): typeof fetch {
  return async (input, init) => {
    const response = await account.fetch(input, init);
    const { status, headers } = response;
    const method = init?.method ?? "GET";
    const answer = { method, status, headers: new Headers(headers), body: await response.text() };
    change(answer);
    const hasBody = answer.body !== "";
    return new Response(hasBody ? answer.body : null, { status: answer.status, headers: answer.headers });
  };
}
