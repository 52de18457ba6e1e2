/** Errors in the browser's console and in the server's log: those a test is about, and no others. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, expect, type Response } from "@playwright/test";
import { createScreenFilter } from "../../sandbox/start/screen.ts";

const stateDir = process.env.E2E_STATE_DIR ?? "";
const logFile = join(stateDir, "start.log");
/** The ids of requests whose errors a test has expected, a line each. */
const expectedFile = join(stateDir, "expected-errors");

export interface Complaints {
  /** Expects an error in the console, by a part of its text and address. It has to come. */
  expect(text: RegExp): void;
  /** Expects an error in the server's log, by a part of its line. It has to come, to a request of a watched page. */
  expectOfServer(text: RegExp): void;
  /** Listens to one more browser context. */
  watch(context: BrowserContext): void;
}

export class TestComplaints implements Complaints {
  readonly #heard: string[] = [];
  readonly #expected: RegExp[] = [];
  readonly #expectedOfServer: RegExp[] = [];
  readonly #requestIds = new Set<string>();
  /** The addresses of listens that the server called too short, and said by how much. */
  readonly #early = new Set<string>();
  readonly #reading: Promise<void>[] = [];

  expect(text: RegExp): void {
    this.#expected.push(text);
  }

  expectOfServer(text: RegExp): void {
    this.#expectedOfServer.push(text);
  }

  watch(context: BrowserContext): void {
    context.on("console", (message) => {
      if (message.type() !== "error") return;
      this.#heard.push(`${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => this.#heard.push(`uncaught: ${error.error().message}`));
    context.on("response", (response) => {
      const id = response.headers()["x-request-id"];
      if (id) this.#requestIds.add(id);
      if (response.status() === 409) this.#reading.push(this.#noteEarly(response));
    });
  }

  /** A song that was slow to start has to be heard for a little longer. */
  async #noteEarly(response: Response): Promise<void> {
    const body = await response.json().catch(() => null);
    if (body?.secondsLeft > 0 && /\/listened$/.test(response.url()))
      this.#early.add(response.url());
  }

  /**
   * @throws if an error was not expected, or an expected one did not come. After a test that has failed, that is
   *   no news.
   */
  async settle({ hasFailed }: { hasFailed: boolean }): Promise<void> {
    await Promise.all(this.#reading);
    const early = [...this.#early].map((url) => `status of 409 (Conflict) (${url})`);
    const unexpected = this.#heard.filter(
      (text) =>
        !this.#expected.some((known) => known.test(text)) &&
        !early.some((end) => text.endsWith(end)),
    );
    expect(unexpected, "errors in the console").toEqual([]);
    if (hasFailed) return;
    const missing = this.#expected.filter((text) => !this.#heard.some((said) => text.test(said)));
    expect(missing, "errors that did not come").toEqual([]);
    for (const text of this.#expectedOfServer) await this.#expectLogged(text);
  }

  async #expectLogged(text: RegExp): Promise<void> {
    const logged = () =>
      serverErrors().flatMap((line) => {
        const id = requestIdIn(line);
        return id && this.#requestIds.has(id) && text.test(line) ? [id] : [];
      });
    await expect.poll(logged, `in the server's log: ${text}`).not.toEqual([]);
    appendFileSync(
      expectedFile,
      logged()
        .map((id) => `${id}\n`)
        .join(""),
    );
  }
}

/** The server's errors that no test has expected. */
export function unexpectedServerErrors(): string[] {
  const expected = new Set(existsSync(expectedFile) ? linesOf(expectedFile) : []);
  return serverErrors().filter((line) => !expected.has(requestIdIn(line) ?? ""));
}

function serverErrors(): string[] {
  const filter = createScreenFilter();
  return linesOf(logFile).flatMap((line) => filter(line) ?? []);
}

function requestIdIn(line: string): string | undefined {
  return /"requestId":"([^"]+)"/.exec(line)?.[1];
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").split("\n");
}
