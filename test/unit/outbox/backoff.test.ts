import { expect, test } from "vitest";
import { withBackoff } from "~/outbox/backoff.server";
import { MailError, type Mailer, type OutgoingMail } from "~/outbox/mailer";

const mail = { to: "someone@mail.example" } as OutgoingMail;

/** A provider that gives each key these answers, one after the other, and then accepts the mail. */
function provider(answers: Record<string, (Error | null)[]>) {
  const asked: string[] = [];
  const waits: number[] = [];
  const inner: Mailer = {
    async send(_mail, key) {
      asked.push(key);
      const answer = answers[key]?.shift();
      if (answer) throw answer;
    },
  };
  async function wait(ms: number) {
    waits.push(ms);
    asked.push("wait");
  }
  return { mailer: withBackoff(inner, wait), asked, waits };
}

function busy(seconds: number | null): MailError {
  return new MailError("busy", "429", seconds);
}

test("a mail that is accepted is sent once, without waiting", async () => {
  const { mailer, asked } = provider({});
  await mailer.send(mail, "a");
  expect(asked).toEqual(["a"]);
});

test("a mail is tried again after the short wait that the provider asks for", async () => {
  const { mailer, asked, waits } = provider({ a: [busy(1), busy(4)] });
  await mailer.send(mail, "a");
  expect(asked).toEqual(["a", "wait", "a", "wait", "a"]);
  expect(waits).toEqual([1000, 4000]);
});

test.each([
  ["for more than five seconds", busy(6)],
  ["if the provider does not say how long", busy(null)],
  ["after a failure", new MailError("failed", "500", 1)],
  ["after a refusal", new MailError("refused", "422", 1)],
  ["after a bug", new TypeError("no function")],
])("it does not wait %s", async (_name, fault) => {
  const { mailer, waits } = provider({ a: [fault] });
  await expect(mailer.send(mail, "a")).rejects.toBe(fault);
  expect(waits).toEqual([]);
});

test("it does not wait for more than five seconds in a batch", async () => {
  const { mailer, waits } = provider({ a: [busy(2), busy(2)], b: [busy(2)], c: [busy(1)] });
  await mailer.send(mail, "a");
  await expect(mailer.send(mail, "b")).rejects.toMatchObject({ reason: "busy" });
  await mailer.send(mail, "c");
  expect(waits).toEqual([2000, 2000, 1000]);
});

test("mails rejected at the same time share one wait, and none is tried meanwhile", async () => {
  const { mailer, asked, waits } = provider({ a: [busy(1)], b: [busy(1)] });
  await Promise.all(["a", "b"].map((key) => mailer.send(mail, key)));
  await mailer.send(mail, "c");
  expect(waits).toEqual([1000]);
  expect(asked).toEqual(["a", "b", "wait", "a", "b", "c"]);
});

test("a mail that comes during the wait of another is not tried before it ends", async () => {
  let end = () => {};
  const asked: string[] = [];
  const inner: Mailer = {
    async send(_mail, key) {
      asked.push(key);
      if (asked.length === 1) throw busy(1);
    },
  };
  let waiting = () => {};
  const begun = new Promise<void>((resolve) => {
    waiting = resolve;
  });
  const mailer = withBackoff(inner, () => {
    waiting();
    return new Promise((resolve) => {
      end = resolve;
    });
  });
  const first = mailer.send(mail, "a");
  await begun;
  const second = mailer.send(mail, "b");
  await Promise.resolve();
  expect(asked).toEqual(["a"]);
  end();
  await Promise.all([first, second]);
  expect(asked.toSorted()).toEqual(["a", "a", "b"]);
});
