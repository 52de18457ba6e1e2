import { createServer } from "node:http";
import { expect, test } from "vitest";
import { runCrons } from "../../../sandbox/start/crons";
import { readWranglerConfig } from "../../../sandbox/start/wrangler-config";

const everySecond = "* * * * * *";

test("each cron calls the Worker's scheduled handler, and a failure is reported", async () => {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? "", "http://app"));
    response.writeHead(asked.length > 1 ? 500 : 200).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;

  const failure = await new Promise<string[]>((resolve) => {
    const end = runCrons([everySecond, "0 0 1 1 *"], `http://127.0.0.1:${port}`, (cron, why) => {
      end();
      resolve([cron, why]);
    });
  });

  expect(failure).toEqual([everySecond, "HTTP 500"]);
  expect(asked.map(({ pathname }) => pathname)).toEqual(
    Array(2).fill("/cdn-cgi/handler/scheduled"),
  );
  expect(asked.map(({ searchParams }) => searchParams.get("cron"))).toEqual([
    everySecond,
    everySecond,
  ]);
  server.closeAllConnections();
  server.close();
});

test("a Worker that cannot be reached counts as a failure", async () => {
  const why = await new Promise<string>((resolve) => {
    const end = runCrons([everySecond], "http://127.0.0.1:1", (_cron, told) => {
      end();
      resolve(told);
    });
  });
  expect(why).toContain("fetch failed");
});

test("every cron of wrangler.toml can be parsed", () => {
  const { crons } = readWranglerConfig();
  expect(crons).not.toEqual([]);
  runCrons(crons, "http://127.0.0.1:1", () => {})();
});
