/** Measures the time from pressing PLAY SONG to the first note, and what it was spent on. */
import type { CDPSession, Locator, Page } from "@playwright/test";

/** A request between the press and the sound. Times are in milliseconds after the press. */
export interface Waited {
  what: string;
  ours: boolean;
  from: number;
  until: number;
}

export interface Sounding {
  /** The time of the press, in milliseconds after the navigation began. */
  pressed: number;
  /** Milliseconds from the click to the first note. */
  total: number;
  /** The part of it with a request to the product under way, including its scripts. */
  ours: number;
  /** The part with only requests to Spotify's stand-in under way. */
  others: number;
  /** The part without requests: work of the page and the player, and the stand-in's time to load a song. */
  rest: number;
  requests: Waited[];
}

/** What pages report, in epoch milliseconds. */
interface Ears {
  clicks: { at: number; pressed: number }[];
  /** When notes start to sound, also in the future. */
  notes: number[];
}

/** The maximum time until a song sounds, in milliseconds. */
const limit = 30_000;
/** A little longer than the stand-in's player schedules notes ahead, in milliseconds. */
const silence = 2_000;

/**
 * Records the notes that a page and its frames play with Web Audio, by the start time of each source.
 * Must be called before the page is opened.
 */
export async function listenTo(page: Page): Promise<Ears> {
  const ears: Ears = { clicks: [], notes: [] };
  await page.exposeFunction("tellClick", (at: number, pressed: number) => {
    ears.clicks.push({ at, pressed });
  });
  await page.exposeFunction("tellNote", (at: number) => void ears.notes.push(at));
  await page.addInitScript(() => {
    const tell = (name: string, ...times: number[]) => Reflect.get(window, name)(...times);
    const { timeOrigin } = performance;
    const onClick = ({ timeStamp }: Event) => tell("tellClick", timeOrigin + timeStamp, timeStamp);
    addEventListener("click", onClick, true);
    const { start } = AudioScheduledSourceNode.prototype;
    AudioScheduledSourceNode.prototype.start = function (when = 0) {
      const ahead = Math.max(0, when - this.context.currentTime) * 1000;
      tell("tellNote", timeOrigin + performance.now() + ahead);
      start.call(this, when);
    };
  });
  return ears;
}

/** Presses a button as soon as it appears and nothing else sounds, and waits for the sound. */
export async function pressForSound(
  page: Page,
  client: CDPSession,
  ears: Ears,
  button: Locator,
): Promise<Sounding> {
  await until(() => Date.now() > (ears.notes.at(-1) ?? 0) + silence);
  const requests = watchRequests(client, new URL(page.url()).origin);
  const clicks = ears.clicks.length;
  const notes = ears.notes.length;
  await button.tap({ noWaitAfter: true });
  await until(() => ears.notes.length > notes && ears.clicks.length > clicks);
  const { at = 0, pressed = 0 } = ears.clicks[clicks] ?? {};
  const sound = Math.min(...ears.notes.slice(notes));
  // Notes are reported before they sound.
  await until(() => Date.now() > sound);
  return { pressed, ...split(at, sound, requests()) };
}

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + limit;
  while (!holds()) {
    if (Date.now() > end) throw new Error("Nothing was heard.");
    await new Promise((wait) => setTimeout(wait, 10));
  }
}

/** Records requests from now on. @returns a function that returns them, in epoch milliseconds. */
function watchRequests(client: CDPSession, origin: string): () => Waited[] {
  const requests = new Map<string, Waited & { began: number }>();
  client.on("Network.requestWillBeSent", ({ requestId, request, type, wallTime, timestamp }) => {
    // An event stream never ends, and nothing waits for it.
    if (type === "EventSource") return;
    const { pathname } = new URL(request.url);
    const ours = request.url.startsWith(`${origin}/`);
    const what = `${request.method} ${pathname.replace(/[0-9A-Za-z]{20,}/, ":id")}`;
    const from = wallTime * 1000;
    requests.set(requestId, {
      what,
      ours,
      from,
      until: Number.POSITIVE_INFINITY,
      began: timestamp,
    });
  });
  const end = ({ requestId, timestamp }: { requestId: string; timestamp: number }) => {
    const request = requests.get(requestId);
    if (request) request.until = request.from + (timestamp - request.began) * 1000;
  };
  client.on("Network.loadingFinished", end);
  client.on("Network.loadingFailed", end);
  return () => [...requests.values()].map(({ began: _, ...request }) => request);
}

function split(click: number, sound: number, requests: Waited[]): Omit<Sounding, "pressed"> {
  const total = sound - click;
  const between = requests
    .filter(({ from, until }) => from < sound && until > click)
    .map((one) => ({ ...one, from: one.from - click, until: Math.min(one.until, sound) - click }));
  const ours = covered(between.filter((one) => one.ours));
  const all = covered(between);
  return { total, ours, others: all - ours, rest: total - all, requests: between };
}

/** For how many milliseconds after the press at least one of the requests was under way. */
function covered(requests: Waited[]): number {
  let sum = 0;
  let reached = 0;
  for (const { from, until } of requests.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, until - Math.max(from, reached));
    reached = Math.max(reached, until);
  }
  return sum;
}
