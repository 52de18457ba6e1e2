import { expect, test } from "vitest";
import { readProcesses, remainsOf } from "../../../sandbox/start/earlier-start";

const note = { pid: 100, group: 110, appOrigin: "http://127.0.0.1:8787" };
const start = "  100   90 node test/sandbox/start.ts";
const workerd = "  112  110 /srv/fivefold/node_modules/@cloudflare/workerd/bin/workerd serve";

test.each([
  ["running", [start, workerd]],
  ["leftovers", ["    1    1 /sbin/init", workerd]],
  ["nothing", ["    1    1 /sbin/init"]],
  // The ids now belong to other programs.
  ["nothing", ["  100   90 vim notes.txt", "  112  110 /usr/bin/postgres"]],
] as const)("an earlier start has left %s of the processes %j", (expected, lines) => {
  expect(remainsOf(note, "/srv/fivefold", readProcesses(lines.join("\n")))).toBe(expected);
});

test("an earlier start has left nothing among the processes of this machine", () => {
  const own = { ...note, pid: process.pid, group: process.pid };
  expect(remainsOf(own, "/srv/fivefold")).toBe("nothing");
});
