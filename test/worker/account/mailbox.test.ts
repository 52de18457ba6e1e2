/** One mailbox, one account, under whatever tag and with whatever dots (rules 34, 35, 37, 39 and 41). */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { addressTexts } from "~/mailing/address.server";
import { rowsOf } from "../../support/database/contents";
import { makeUser, unique } from "../../support/database/factories";
import { makeEmailMember, makeMember } from "../../support/login";
import { askToConfirm } from "../../support/mails";
import { makeOperator } from "../../support/operator";
import { request } from "../../support/request";
import { asked, comeByAddress, confirm, leave } from "../../support/ways-in";
import { logInByMail, sessionOf } from "../session/email-login-flow";

/** Two addresses of one mailbox. */
function twoOf(host: "tags" | "dots"): [string, string] {
  const local = unique("own").replaceAll(/[^a-z0-9]/g, "");
  return host === "tags"
    ? [`${local}+one@mail.example`, `${local}@mail.example`]
    : [`${local}+one@gmail.com`, `${local.split("").join(".")}@googlemail.com`];
}

describe.each(["tags", "dots"] as const)("by %s", (host) => {
  test("a mailbox has one account, into which each of its addresses leads", async () => {
    const [first, other] = twoOf(host);
    await logInByMail(first);
    const again = await logInByMail(other);
    expect([again.headers.get("Location"), sessionOf(again) === ""]).toEqual(["/", false]);
    expect(await rowsOf("SELECT own_email FROM users")).toEqual([{ own_email: first }]);
    const { length } = await rowsOf("SELECT DISTINCT user_id FROM sessions");
    expect(length).toBe(1);
  });

  test("nobody confirms an address of another account's only mailbox", async () => {
    const [first, other] = twoOf(host);
    await makeEmailMember({ ownEmail: first });
    const { user } = await makeMember({ email: null });
    const page = await request(`/confirm-email?token=${await asked(user, other)}`);
    expect([page.status, (await page.text()).includes(addressTexts.taken)]).toEqual([409, true]);
    expect(await confirm(user, other)).toMatchObject({ status: 409, error: addressTexts.taken });
    // The database refuses as well.
    const take = env.DB.prepare("UPDATE users SET own_email = ? WHERE id = ?").bind(other, user.id);
    await expect(take.run()).rejects.toThrow("the only way into an account");
    await expect(makeUser({ ownEmail: other })).rejects.toThrow("the only way into an account");
  });

  test("its account can be given another of its addresses", async () => {
    const [first, other] = twoOf(host);
    const { user } = await makeEmailMember({ ownEmail: first });
    expect(await confirm(user, other)).toMatchObject({ current: true });
    expect(await rowsOf("SELECT own_email FROM users")).toEqual([{ own_email: other }]);
  });

  test("what outlives an account is found by another of its addresses", async () => {
    const [first, other] = twoOf(host);
    const { user } = await makeEmailMember({ ownEmail: first });
    await leave(user);
    await env.DB.prepare(
      `INSERT INTO submission_locks (id, user_id, reason, locked_at)
       SELECT id, NULL, 'Not theirs', left_at FROM departures`,
    ).run();
    const id = await comeByAddress(other);
    expect(await rowsOf("SELECT user_id FROM departures")).toEqual([{ user_id: id }]);
    expect(await rowsOf("SELECT user_id FROM submission_locks")).toEqual([{ user_id: id }]);
  });

  test("its mails that confirm are counted together", async () => {
    const addresses = twoOf(host);
    for (let n = 0; n < 3; n += 1) {
      await askToConfirm((await makeUser()).id, addresses[n % 2] ?? "");
    }
    const { id } = await makeUser();
    for (const address of addresses) {
      await expect(askToConfirm(id, address)).rejects.toThrow(addressTexts.tooMany);
    }
  });

  test("the operator finds its account by each of its addresses", async () => {
    const [first, other] = twoOf(host);
    await makeUser({ ownEmail: first, displayName: "Ada Quist" });
    const { look } = await makeOperator();
    const found = await look(other);
    expect([found.includes("Ada Quist"), found.includes(first)]).toEqual([true, true]);
  });
});

test("an operator is known by the very address alone", async () => {
  const operates = async (ownEmail: string) => {
    const { cookie } = await makeEmailMember({ ownEmail });
    const bindings = { ...env, OPERATORS: "otto@mail.example, otto2@gmail.com" };
    const { status } = await request("/operator", { cookie, bindings });
    return [ownEmail, status];
  };
  for (const ownEmail of [
    ...["lotto@mail.example", "otto@mail.example.org", "otto@mail.exampl", "tto@mail.example"],
    ...["x.otto@mail.example", "otto+x@mail.example", "o.tto2@gmail.com", "otto2@googlemail.com"],
  ]) {
    expect(await operates(ownEmail)).toEqual([ownEmail, 404]);
    await env.DB.prepare("DELETE FROM users").run();
  }
  expect(await operates("Otto@mail.example")).toEqual(["Otto@mail.example", 200]);
});

test("two accounts with Spotify may have addresses of one mailbox, which asks which it is to be", async () => {
  const [first, other] = twoOf("tags");
  await makeUser({ ownEmail: first, displayName: "Ada" });
  await makeUser({ ownEmail: other, displayName: "Bea" });
  const typed = await logInByMail(first);
  // The helper has given a name where an account was to be chosen.
  expect(typed.headers.get("Location")).toBe("/login/name");
  expect(await rowsOf("SELECT count(*) AS users FROM users")).toEqual([{ users: 2 }]);
});
