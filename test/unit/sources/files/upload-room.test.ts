import { expect, test } from "vitest";
import { isRejection } from "~/platform/rejection";
import { makeRoom, type Place } from "~/sources/files/upload-room";

const kilobyte = 1024;
const most = 10 * 64 * kilobyte;

/** A room on a clock that moves on only when somebody waits for room, or as it is told. */
function roomWithClock() {
  const clock = { time: 0 };
  const passTime = (ms: number) => {
    clock.time += ms;
  };
  const room = makeRoom(most);
  return {
    ...{ room, clock, passTime },
    enter: (waits: (ms: number) => void = passTime) =>
      room.enter({ now: () => clock.time, wait: async (ms) => waits(ms) }),
  };
}

const bytes = (count: number) => new Uint8Array(count);

/** Waits for a piece, and keeps it. */
async function bring(
  place: Place,
  into: ReturnType<Place["gather"]>,
  count: number,
  after: () => void = () => undefined,
) {
  place.ask();
  after();
  place.came(count);
  const more = await into.add(bytes(count));
  place.ask();
  return isRejection(more) ? more.status : more.length;
}

test("what is held grows with what has come, and is exactly that in the end", async () => {
  const { room, enter } = roomWithClock();
  const place = enter();
  const held = place.gather(300_000);
  expect(room.held()).toBe(0);
  await held.add(Uint8Array.of(1, 2, 3));
  expect(room.held()).toBe(64 * kilobyte);
  const rest = await held.add(bytes(400_000).fill(7));
  expect([rest, room.held()]).toEqual([bytes(100_003).fill(7), 300_000]);
  expect(Array.from(held.bytes().subarray(0, 5))).toEqual([1, 2, 3, 7, 7]);
  held.clear();
  expect([room.held(), held.bytes().length]).toEqual([0, 0]);
  await held.add(bytes(9));
  place.leave();
  expect(room.held()).toBe(0);
});

test("uploads never hold more than there is room for, and the one beyond is asked to come back", async () => {
  const { room, enter } = roomWithClock();
  for (let n = 0; n < 10; n += 1) {
    const place = enter();
    expect(await bring(place, place.gather(most), 64 * kilobyte)).toBe(0);
  }
  const late = enter();
  const refused = await late.gather(most).add(bytes(1));
  expect(refused).toMatchObject({ status: 503, secondsLeft: 60 });
  expect(room.held()).toBe(most);
});

test("who asks waits until another has sent what it held", async () => {
  const { room, clock, enter } = roomWithClock();
  const held = enter().gather(most);
  await held.add(bytes(most));
  const second = enter((ms) => {
    clock.time += ms;
    if (clock.time > 3000) held.clear();
  });
  expect(await second.gather(most).add(bytes(most))).toEqual(bytes(0));
  expect([clock.time > 3000, clock.time < 4000, room.held()]).toEqual([true, true, most]);
});

test("of those who wait, the one that holds most gets room first", async () => {
  const { room, enter } = roomWithClock();
  const [small, large, other] = [enter(), enter(), enter()];
  const [little, much, rest] = [small, large, other].map((place) => place.gather(most));
  await little?.add(bytes(64 * kilobyte));
  await much?.add(bytes(4 * 64 * kilobyte));
  await rest?.add(bytes(5 * 64 * kilobyte));
  const order: string[] = [];
  const asked = [
    little?.add(bytes(kilobyte)).then(() => order.push("little")),
    much?.add(bytes(kilobyte)).then(() => order.push("much")),
  ];
  rest?.clear();
  await Promise.all(asked);
  expect(order[0]).toBe("much");
  expect(room.held()).toBeLessThanOrEqual(most);
});

test("of many that begin at once and hold each other up, one after the other gives up, and others come in", async () => {
  const { room, enter, passTime } = roomWithClock();
  let mostHeld = 0;
  const part = most / 2;
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const place = enter(() => passTime(10));
      const into = place.gather(part);
      let outcome = 0;
      for (let brought = 0; brought < part && outcome === 0; brought += 16 * kilobyte) {
        outcome = await bring(place, into, 16 * kilobyte);
        mostHeld = Math.max(mostHeld, room.held());
      }
      place.leave();
      return outcome;
    }),
  );
  const taken = outcomes.filter((outcome) => outcome === 0).length;
  expect(taken).toBeGreaterThanOrEqual(4);
  expect(outcomes.every((outcome) => outcome === 0 || outcome === 503)).toBe(true);
  expect(mostHeld).toBeLessThanOrEqual(most);
});

test("who has held much for long with little coming makes way for who is faster, and hears of it", async () => {
  const { room, enter, passTime } = roomWithClock();
  const slow = enter();
  const held = slow.gather(most);
  expect(await bring(slow, held, most - 64 * kilobyte)).toBe(0);
  const steady = enter();
  const steadyHeld = steady.gather(most);
  expect(await bring(steady, steadyHeld, 64 * kilobyte, () => passTime(100_000))).toBe(0);
  // Both are slow by now, but the first one holds on to much with nothing coming.
  passTime(2_000_000);
  const fast = enter();
  expect(await bring(fast, fast.gather(most), 5 * 64 * kilobyte, () => passTime(1000))).toBe(0);
  expect(room.held()).toBeLessThanOrEqual(most);
  expect(held.bytes().length + steadyHeld.bytes().length).toBeLessThan(most);
  expect(await bring(slow, held, 1)).toBe(503);
  expect(slow.settle()).toMatchObject({ status: 503 });
});

test("nobody makes way for who is little faster, or once all has come", async () => {
  const { clock, enter } = roomWithClock();
  const slow = enter(() => undefined);
  const held = slow.gather(most);
  let isWhole = false;
  const come = (ms: number) => {
    clock.time += ms;
    if (isWhole) return;
    slow.came(ms * 65);
    slow.ask();
  };
  come(1);
  await held.add(bytes(most));
  for (let n = 0; n < 10; n += 1) come(1000);
  // While the others wait, the slow one goes on as it does.
  const asks = async (bytesASecond: number) => {
    const place = enter(come);
    const into = place.gather(most);
    const got = await bring(place, into, bytesASecond, () => come(1000));
    place.leave();
    return got;
  };
  expect(await asks(120_000)).toBe(503);
  expect(held.bytes().length).toBe(most);
  isWhole = true;
  expect(slow.settle()).toBeNull();
  expect(await asks(500_000)).toBe(503);
});

test("nobody makes way in the first ten seconds", async () => {
  const { clock, enter } = roomWithClock();
  const [young, next] = [enter(), enter()];
  const held = young.gather(most);
  await bring(young, held, most);
  expect(await bring(next, next.gather(most), most)).toBe(0);
  expect([clock.time >= 10_000, clock.time < 11_000, held.bytes().length]).toEqual([true, true, 0]);
});

test("what an upload left that was ended from outside, in whatever it did, is given to others in the end", async () => {
  for (const isWhole of [false, true]) {
    const { enter, passTime } = roomWithClock();
    const gone = enter();
    await bring(gone, gone.gather(most), most);
    gone.came(0);
    if (isWhole) gone.settle();
    passTime(61_000);
    const next = enter();
    expect(await bring(next, next.gather(most), most)).toBe(0);
  }
});
