import { createServer } from "node:net";
import { expect, test } from "vitest";
import { isFree, portTaken } from "../../../sandbox/start/ports";
import { freePorts } from "../../../support/free-ports";

test("a port is free until a program listens on it, and the message names that program", async () => {
  const [port = 0] = await freePorts(1);
  expect(await isFree(port)).toBe(true);
  const server = createServer();
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  expect(await isFree(port)).toBe(false);
  const text = portTaken(port, "PORT");
  // Systems without lsof and ss cannot say which program it is.
  expect(text).toMatch(
    new RegExp(`^Port ${port} is in use by (process ${process.pid}, .+|another program)\\.$`, "m"),
  );
  expect(text).toContain("set PORT to another port");
  await new Promise((closed) => server.close(closed));
  expect(await isFree(port)).toBe(true);
});
