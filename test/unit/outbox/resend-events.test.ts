import { expect, test } from "vitest";
import { readResendEvent } from "~/outbox/resend.server";

/** Svix's own example. */
const example = {
  body: '{"test": 2432232314}',
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  headers: {
    "svix-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "svix-timestamp": "1614265330",
    "svix-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
  signedAt: 1_614_265_330_000,
};

function read(now: number, changes: Partial<typeof example> = {}) {
  const { body, secret, headers } = { ...example, ...changes };
  const sender = "ratings@fivefold.example";
  return readResendEvent(body, new Headers(headers), { secret, sender, now });
}

test("Svix's example is signed, and reports no mail", async () => {
  expect(await read(example.signedAt)).toBeNull();
});

test("a signature holds for 300 seconds before and after its time", async () => {
  for (const ms of [-300_000, 300_000]) expect(await read(example.signedAt + ms)).toBeNull();
  for (const ms of [-301_000, 301_000]) {
    expect(await read(example.signedAt + ms)).toBe("unsigned");
  }
});

test.each([
  "",
  " ",
  "v1,",
  "v1, ",
  "v1,=",
  "v1,AAAA",
  "v1g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
])("the signature %j is none", async (signature) => {
  const headers = { ...example.headers, "svix-signature": signature };
  expect(await read(example.signedAt, { headers })).toBe("unsigned");
});

test.each(["", "NaN", "-1614265330", "1614265330.0", "1e9", "0x6037BBF2", " 1614265330x"])(
  "the time %j is none",
  async (time) => {
    const headers = { ...example.headers, "svix-timestamp": time };
    expect(await read(example.signedAt, { headers })).toBe("unsigned");
  },
);
