import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  readNote,
  readProcesses,
  remainsOf,
  removeNote,
  writeNote,
} from "../../../sandbox/start/earlier-start";

const note = { pid: 100, group: 110, appOrigin: "http://127.0.0.1:8787" };
const root = "/srv/fivefold";
const start = "  100   90 node test/sandbox/start.ts";
const workerd = "  112  110 /srv/fivefold/node_modules/@cloudflare/workerd/bin/workerd serve";

describe("an earlier start has left", () => {
  test.each([
    ["running", [start, workerd]],
    ["leftovers", ["    1    1 /sbin/init", workerd]],
    ["nothing", ["    1    1 /sbin/init"]],
  ] as const)("%s", (expected, lines) => {
    expect(remainsOf(note, root, readProcesses(lines.join("\n")))).toBe(expected);
  });

  test("nothing if its process ids now belong to other programs", () => {
    const others = ["  100   90 vim notes.txt", "  112  110 /usr/bin/postgres"];
    expect(remainsOf(note, root, readProcesses(others.join("\n")))).toBe("nothing");
  });

  test("nothing among the processes of this machine", () => {
    const unused = { ...note, pid: 2 ** 30, group: 2 ** 30 };
    expect(remainsOf(unused, root)).toBe("nothing");
    const own = { ...note, pid: process.pid, group: process.pid };
    expect(remainsOf(own, root)).toBe("nothing");
  });
});

test("a start's note is kept until it is removed", () => {
  const folder = mkdtempSync(join(tmpdir(), "fivefold-note-"));
  expect(readNote(folder)).toBeNull();
  writeNote(folder, note);
  expect(readNote(folder)).toEqual(note);
  removeNote(folder);
  removeNote(folder);
  expect(readNote(folder)).toBeNull();
  rmSync(folder, { recursive: true });
});
