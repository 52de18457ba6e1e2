/** One mailbox, one account, under whatever tag and with whatever dots (rules 34, 35, 37, 39 and 41). */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { addressTexts } from "~/mailing/address.server";
import { counts, holds, isRefused, leads, led, says } from "../../support/answers";
import { emptyDatabase } from "../../support/database/contents";
import { insert, makeUser, unique } from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { askToConfirm } from "../../support/mails";
import { makeOperator } from "../../support/operator";
import { browser, byAddress } from "../../support/people/logins";
import { asked, comeByAddress, confirm } from "../../support/ways-in";

type Spelling = "tags" | "dots";
const spellings: Spelling[] = ["tags", "dots"];

/** Two addresses of one mailbox. */
function twoOf(spelling: Spelling): [string, string] {
  const local = unique("own").replaceAll(/[^a-z0-9]/g, "");
  return spelling === "tags"
    ? [`${local}+one@mail.example`, `${local}@mail.example`]
    : [`${local}+one@gmail.com`, `${local.split("").join(".")}@googlemail.com`];
}

test.each(spellings)(
  "a mailbox by %s has one account, into which each of its addresses leads",
  async (spelling) => {
    const [first, other] = twoOf(spelling);
    await browser().logsInByMail(first);
    const it = browser();
    expect([led(await it.logsInByMail(other))[1], it.isLoggedIn()]).toEqual(["/", true]);
    const { id, ownEmail } = await row("users");
    expect(ownEmail).toBe(first);
    await counts("sessions", 2, { userId: id });
  },
);

test.each(spellings)(
  "nobody confirms an address by %s of another account's only mailbox",
  async (spelling) => {
    const [ownEmail, other] = twoOf(spelling);
    const who = await byAddress({ ownEmail });
    const user = await makeUser({ email: null });
    const path = `/confirm-email?token=${await asked(user, other)}`;
    await says(browser().gets(path), 409, addressTexts.taken);
    expect(await confirm(user, other)).toMatchObject({ status: 409, error: addressTexts.taken });
    // The database refuses as well.
    const take = change("users", { id: user.id }, { ownEmail: other });
    await isRefused(take, "the only way into an account");
    await expect(makeUser({ ownEmail: other })).rejects.toThrow("the only way into an account");
    // The account itself can be given another of its addresses.
    expect(await confirm(who, other)).toMatchObject({ current: true });
    expect(await who.now()).toMatchObject({ ownEmail: other });
  },
);

test.each(spellings)(
  "what outlives an account is found by another of its addresses by %s",
  async (spelling) => {
    const [ownEmail, other] = twoOf(spelling);
    await (await byAddress({ ownEmail })).leaves();
    const { id, leftAt } = await row("departures");
    await insert("submission_locks", { id, reason: "Not theirs", locked_at: leftAt }).run();
    const userId = await comeByAddress(other);
    await holds("departures", { userId });
    await holds("submissionLocks", { userId });
  },
);

test.each(spellings)(
  "a mailbox's mails that confirm are counted together by %s",
  async (spelling) => {
    const addresses = twoOf(spelling);
    for (const n of [0, 1, 0]) await askToConfirm((await makeUser()).id, addresses[n] ?? "");
    const { id } = await makeUser();
    for (const address of addresses) {
      await expect(askToConfirm(id, address)).rejects.toThrow(addressTexts.tooMany);
    }
  },
);

test.each(spellings)(
  "the operator finds a mailbox's account by each of its addresses by %s",
  async (spelling) => {
    const [ownEmail, other] = twoOf(spelling);
    await makeUser({ ownEmail, displayName: "Ada Quist" });
    const found = await (await makeOperator()).look(other);
    expect([found.includes("Ada Quist"), found.includes(ownEmail)]).toEqual([true, true]);
  },
);

test("an operator is known by the very address alone", async () => {
  const bindings = { ...env, OPERATORS: "otto@mail.example, otto2@gmail.com" };
  const own = "Otto@mail.example";
  for (const ownEmail of [
    ...["lotto@mail.example", "otto@mail.example.org", "otto@mail.exampl", "tto@mail.example"],
    ...["x.otto@mail.example", "otto+x@mail.example", "o.tto2@gmail.com", "otto2@googlemail.com"],
    own,
  ]) {
    const answer = await (await byAddress({ ownEmail })).gets("/operator", { bindings });
    expect([ownEmail, answer.status]).toEqual([ownEmail, ownEmail === own ? 200 : 404]);
    await emptyDatabase();
  }
});

test("two accounts with Spotify may have addresses of one mailbox, which asks which it is to be", async () => {
  const [first, other] = twoOf("tags");
  await makeUser({ ownEmail: first });
  await makeUser({ ownEmail: other });
  const it = browser();
  await it.asksForCode(first);
  await leads(it.types(), "/login/name");
  await it.givesName("Ada");
  expect([it.isLoggedIn(), (await rows("users")).length]).toEqual([false, 2]);
});
