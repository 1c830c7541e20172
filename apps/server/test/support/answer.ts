import { contract, type Problem, problem } from "@siteward/contract";
import { expect } from "vitest";

/** One answer of the server, with what the contract requires of it. */
export class Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;

  constructor(status: number, headers: Headers, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  static async read(response: Response): Promise<Answer> {
    return new Answer(response.status, response.headers, await response.text());
  }

  header(name: string): string | null {
    return this.headers.get(name);
  }

  /** The entity tag, which must be a strong one. */
  get etag(): string {
    expect(this.header("ETag")).toMatch(/^"[\x21\x23-\x7e]+"$/);
    return this.header("ETag") ?? "";
  }

  /** The website in the answer. */
  get website() {
    return this.#readJson("application/json", contract.websites.get.responses[200]).data;
  }

  get page() {
    return this.#readJson("application/json", contract.websites.list.responses[200]);
  }

  get account() {
    return this.#readJson("application/json", contract.account.get.responses[200]).data;
  }

  /** The problem details in the answer. Their status and request id must be those of the answer. */
  get problem(): Problem {
    const read = this.#readJson("application/problem+json", problem);
    expect(read.status).toBe(this.status);
    expect(read.request_id).toBe(this.header("X-Request-Id"));
    expect(read.request_id).not.toBe("");
    return read;
  }

  /** Status and code, which identify an error. */
  get refusal(): [status: number, code: string] {
    return [this.status, this.problem.code];
  }

  #readJson<Shape>(type: string, schema: { parse(value: unknown): Shape }): Shape {
    expect(this.header("Content-Type"), this.text).toBe(`${type}; charset=utf-8`);
    return schema.parse(JSON.parse(this.text));
  }
}
