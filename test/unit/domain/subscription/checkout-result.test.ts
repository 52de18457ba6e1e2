import { expect, test } from "vitest";
import { emailFor } from "~/domain/subscription/checkout-result";

const email = "buyer@mail.example";

test.each([
  { viewer: "the user who began it", viewerId: "ada", userId: "ada", shown: email },
  { viewer: "another user", viewerId: "bo", userId: "ada", shown: null },
  { viewer: "nobody who is logged in", viewerId: null, userId: "ada", shown: email },
  { viewer: "a user, begun outside the product", viewerId: "ada", userId: null, shown: email },
  { viewer: "nobody, begun outside the product", viewerId: null, userId: null, shown: email },
])("the address of a checkout, seen by $viewer, is $shown", ({ viewerId, userId, shown }) => {
  expect(emailFor({ email, userId }, viewerId)).toBe(shown);
});
