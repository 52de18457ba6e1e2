import { relative } from "node:path";
import { demoByEmail, type Musician } from "../catalogue.ts";
import type { Settings } from "./settings.ts";

/** Which page to open, as whom to log in, and how to stop: some ten lines of at most 80 characters. */
export function welcome(settings: Settings, musicians: readonly Musician[]): string {
  const { appOrigin, sandboxOrigin, logFile, real, spotify } = settings;
  const people = musicians
    .filter(({ demo }) => demo)
    .map(({ displayName, demo }) => `${displayName.padEnd(14)}  ${demo}`);
  const bySpotify = real.spotify ? ["with your own Spotify account"] : people;
  const anybody = real.spotify || real.resend;
  const byEmail = [
    `${anybody ? "any address" : demoByEmail.address}, at ${appOrigin}/login/email`,
    ...(real.resend ? [] : [`The code arrives at ${sandboxOrigin}/mail`]),
    ...(real.spotify ? [] : ["A dozen own recordings can be heard; rate six and upload yours"]),
  ];
  return [
    "",
    labelled("Fivefold", appOrigin),
    labelled("Stand-ins", `${sandboxOrigin}${real.resend ? "" : " (mails arrive there)"}`),
    labelled("Log", shortPath(logFile)),
    "",
    ...(spotify ? list("Log in as", bySpotify) : []),
    ...list("By e-mail", byEmail),
    "",
    "Here all are in one place, so its limits are lifted (wrangler.toml).",
    "Ctrl-C stops everything.",
  ].join("\n");
}

function list(label: string, lines: string[]): string[] {
  return lines.map((line, index) => labelled(index === 0 ? label : "", line));
}

function labelled(label: string, text: string): string {
  return `${label.padEnd(9)}  ${text}`;
}

export function shortPath(path: string): string {
  const short = relative("", path);
  return short.startsWith("..") ? path : short;
}

/** Which lines of wrangler's output the screen shows: failed builds, errors, and the app's log of errors. */
export function createScreenFilter(): (line: string) => string | null {
  let withinError = false;
  let broken = false;
  return (line) => {
    const [, buildLine] = /^\[custom build\](.*)/.exec(line) ?? [];
    if (buildLine !== undefined) return /^\s*(Running:|$)/.test(buildLine) ? null : buildLine;
    if (line.includes("[ERROR] Running custom build")) {
      broken = true;
      return "The build failed. Requests wait until it is fixed.";
    }
    if (broken && line.includes("Local server updated")) {
      broken = false;
      return "The build works again.";
    }
    withinError = isError(line) || (withinError && /^(\s|$)/.test(line));
    return withinError && line.trim() ? line : null;
  };
}

function isError(line: string): boolean {
  // The build has already printed why it failed.
  if (line.includes("Process exited with non-zero status")) return false;
  // A browser has left while it sent something, such as an upload.
  if (/ProxyWorker.*: POST .*Network connection lost/.test(line)) return false;
  if (line.startsWith("{")) return line.includes('"error":');
  return /\[ERROR\]|\[wrangler:error\]|^(Uncaught )?\w*Error\b/.test(line);
}
