import { expect, test } from "vitest";
import { householdOf, placesOf } from "~/platform/network";

test.each([
  ["192.0.2.7", ["192.0.2.7"]],
  ["::ffff:192.0.2.7", ["192.0.2.7"]],
  ["::FFFF:c000:207", ["192.0.2.7"]],
  ["2001:db8:1:2:3:4:5:6", ["20010db800010002/64", "20010db8000100/56", "20010db80001/48"]],
  ["2001:db8:1:2::abcd", ["20010db800010002/64", "20010db8000100/56", "20010db80001/48"]],
  ["2001:db8:1:02ff::", ["20010db8000102ff/64", "20010db8000102/56", "20010db80001/48"]],
  ["2001:db8::1", ["20010db800000000/64", "20010db8000000/56", "20010db80000/48"]],
  ["2001:DB8:0:0:9::1", ["20010db800000000/64", "20010db8000000/56", "20010db80000/48"]],
  ["::1", ["0000000000000000/64", "00000000000000/56", "000000000000/48"]],
  ["::", ["0000000000000000/64", "00000000000000/56", "000000000000/48"]],
  // What no proxy sends is a place of its own.
  ["unknown", ["unknown"]],
  ["2001:db8:::1", ["2001:db8:::1"]],
  ["1:2:3", ["1:2:3"]],
])("%s is in %j", (address, places) => {
  expect(placesOf(address)).toEqual(places);
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2ff::9", "20010db8000102/56"],
])("a request from %s comes from the household %s", (address, household) => {
  const headers = new Headers({ "CF-Connecting-IP": address });
  expect(householdOf({ headers })).toBe(household);
});
