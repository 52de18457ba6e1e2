import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { runCrons } from "../../../sandbox/start/crons";
import { readWranglerConfig } from "../../../sandbox/start/wrangler-config";

const everySecond = "* * * * * *";

/** Why the first failing call failed. */
function firstFailure(port: number): Promise<string[]> {
  return new Promise((resolve) => {
    const end = runCrons([everySecond, "0 0 1 1 *"], `http://127.0.0.1:${port}`, (...failure) => {
      end();
      resolve(failure);
    });
  });
}

test("each cron calls the Worker's scheduled handler, and a failure is reported", async () => {
  const asked: unknown[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(asked.length > 1 ? 500 : 200).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  expect(await firstFailure(port)).toEqual([everySecond, "HTTP 500"]);
  const path = `/cdn-cgi/handler/scheduled?${new URLSearchParams({ cron: everySecond })}`;
  expect(asked).toEqual([path, path]);
  server.closeAllConnections();
  server.close();
  expect(await firstFailure(1)).toEqual([everySecond, expect.stringContaining("fetch failed")]);
});

test("every cron of wrangler.toml can be parsed", () => {
  const { crons } = readWranglerConfig();
  expect(crons).not.toEqual([]);
  runCrons(crons, "http://127.0.0.1:1", () => {})();
});
