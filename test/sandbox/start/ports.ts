import { spawnSync } from "node:child_process";
import { createServer } from "node:net";

const COMMAND_LENGTH = 80;

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

export function portTaken(port: number, variable: string): string {
  return `Port ${port} is in use by ${holderOf(port) ?? "another program"}.
End that program, or set ${variable} to another port.`;
}

/** The command and process id of the program that listens on a port; null if none is found. */
function holderOf(port: number): string | null {
  const pid =
    output("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-t"]).match(/^\d+/)?.[0] ??
    // Many Linux systems have no lsof.
    output("ss", ["-Hltnp", `sport = :${port}`]).match(/\bpid=(\d+)/)?.[1];
  if (!pid) return null;
  const command = output("ps", ["-p", pid, "-o", "args="]).trim();
  return `process ${pid}${command && `, ${command.slice(0, COMMAND_LENGTH)}`}`;
}

function output(command: string, args: string[]): string {
  return spawnSync(command, args, { encoding: "utf8" }).stdout ?? "";
}
