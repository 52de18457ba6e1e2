import { type Rejection, reject } from "~/platform/rejection";

/** What all uploads of an isolate hold at once. It has 128 MB, and pages and listeners need some. */
const maxHeldBytes = 48 * 1024 * 1024;

/** From then on, of those that wait for room, the one that holds least gives it up for the others; in the end each. */
const shortWaitMs = 5_000;
const longestWaitMs = 30_000;
const lookEveryMs = 250;

/** Nobody makes way for others before. */
const graceMs = 10_000;

/** Nothing of ours takes longer: the upload was ended from outside, and nobody has cleared up. */
const longestTurnMs = 60_000;

const firstBytes = 64 * 1024;

export interface RoomClock {
  now(): number;
  wait(ms: number): Promise<unknown>;
}

/** One upload's part of the room. */
export interface Place {
  /** The next piece is waited for. */
  ask(): void;
  came(bytes: number): void;
  /** Bytes that are kept, `most` at most. */
  gather(most: number): HeldBytes;
  /** All has come, and it makes way for nobody any more. @returns why it has had to before. */
  settle(): Rejection | null;
  leave(): void;
}

export interface HeldBytes {
  /** Keeps what there is room for. @returns what is beyond `most`, or why there is no room. */
  add(piece: Uint8Array): Promise<Uint8Array | Rejection>;
  bytes(): Uint8Array;
  /** Holds these bytes in their place, which are as many at most. */
  replace(bytes: Uint8Array<ArrayBuffer>): void;
  clear(): void;
}

interface Guest {
  bytes: number;
  /** Since it last let go of something: what has come, and how long that was waited for. */
  came: number;
  waitedMs: number;
  isAsked: boolean;
  turnAt: number;
  /** When it last looked for room. */
  lookedAt: number;
  isLost: boolean;
  clear: (() => void)[];
}

/**
 * Room for what uploads hold in memory, `most` bytes for all. Where it is full, who comes at less than half the speed
 * of the one who asks makes way; else that one waits, behind those who hold more, and is asked to come back in the end:
 * one after the other, so that what one had is enough for the next.
 */
export function makeRoom(most: number) {
  const guests = new Set<Guest>();
  let gaveUpAt = -Infinity;

  const held = () => Array.from(guests).reduce((sum, { bytes }) => sum + bytes, 0);

  function makeWay(asking: Guest, now: number): boolean {
    const speed = asking.came / Math.max(1000, waitedMs(asking, now));
    let slowest = { guest: asking, speed: speed / 2 };
    for (const guest of guests) {
      const waited = waitedMs(guest, now);
      const other = guest.came / waited;
      if (guest.bytes > 0 && waited >= graceMs && other <= slowest.speed) {
        slowest = { guest, speed: other };
      }
    }
    if (slowest.guest === asking) return false;
    slowest.guest.isLost = true;
    leave(slowest.guest);
    return true;
  }

  function leave(guest: Guest): void {
    for (const clear of guest.clear) clear();
    guests.delete(guest);
  }

  async function take(guest: Guest, bytes: number, clock: RoomClock): Promise<Rejection | null> {
    const began = clock.now();
    while (!guest.isLost) {
      const now = clock.now();
      const others = Array.from(guests).filter(
        (other) => other !== guest && now - other.lookedAt < 4 * lookEveryMs,
      );
      const isBehind = others.some((other) => other.bytes > guest.bytes);
      const fits = held() + bytes <= most;
      if (fits && !isBehind) {
        guest.bytes += bytes;
        guest.lookedAt = -Infinity;
        return null;
      }
      if (!fits && makeWay(guest, now)) continue;
      const isNext =
        now - gaveUpAt >= 2 * lookEveryMs &&
        guest.bytes > 0 &&
        !others.some((other) => other.bytes > 0 && other.bytes < guest.bytes);
      if (now - began >= (isNext ? shortWaitMs : longestWaitMs)) {
        gaveUpAt = now;
        break;
      }
      guest.lookedAt = now;
      // By a timer of its own: in Workers, no request can wake another.
      await clock.wait(lookEveryMs);
    }
    return noRoom;
  }

  return {
    held,
    enter(clock: RoomClock): Place {
      const guest: Guest = {
        ...{ bytes: 0, came: 0, waitedMs: 0, isAsked: true, turnAt: clock.now() },
        ...{ lookedAt: -Infinity, isLost: false, clear: [] },
      };
      guests.add(guest);
      return {
        ask() {
          guest.isAsked = true;
          guest.turnAt = clock.now();
        },
        came(bytes) {
          guest.waitedMs = waitedMs(guest, clock.now());
          guest.came += bytes;
          guest.isAsked = false;
          guest.turnAt = clock.now();
        },
        gather: (mostBytes) => gather(guest, mostBytes, (bytes) => take(guest, bytes, clock)),
        settle() {
          Object.assign(guest, { came: 0, waitedMs: 0, isAsked: false, turnAt: clock.now() });
          return guest.isLost ? noRoom : null;
        },
        leave: () => leave(guest),
      };
    },
  };
}

function waitedMs({ waitedMs, isAsked, turnAt }: Guest, now: number): number {
  if (isAsked) return waitedMs + now - turnAt;
  return now - turnAt > longestTurnMs ? Infinity : waitedMs;
}

function gather(
  guest: Guest,
  most: number,
  take: (bytes: number) => Promise<Rejection | null>,
): HeldBytes {
  let room = new ArrayBuffer(0);
  let length = 0;

  function clear(): void {
    guest.bytes -= room.byteLength;
    // Let go of at once, which the garbage collector would do later.
    room = room.transfer(0);
    length = 0;
    [guest.came, guest.waitedMs] = [0, 0];
  }

  guest.clear.push(clear);
  return {
    async add(piece) {
      const taken = piece.subarray(0, most - length);
      const needed = length + taken.length;
      if (guest.isLost) return noRoom;
      if (needed > room.byteLength) {
        const grown = Math.max(needed, Math.ceil(room.byteLength * 1.5), firstBytes);
        const size = Math.min(most, grown);
        const refused = await take(size - room.byteLength);
        if (refused) return refused;
        room = room.transfer(size);
      }
      new Uint8Array(room).set(taken, length);
      length = needed;
      return piece.subarray(taken.length);
    },
    bytes: () => new Uint8Array(room, 0, length),
    replace(bytes) {
      guest.bytes += bytes.buffer.byteLength - room.byteLength;
      room = bytes.buffer;
      length = bytes.length;
    },
    clear,
  };
}

const noRoom = reject(
  503,
  "More songs are being uploaded just now than there is room for. Nothing was kept. Try again in a minute.",
  { secondsLeft: 60 },
);

export const uploadRoom = makeRoom(maxHeldBytes);
