/**
 * The places that a network address is in, the narrowest first: of IPv6 its /64, which one machine uses at will, and the
 * /56 and /48 that one customer may have. IPv4, also as written within IPv6, is one place. So is what is no address.
 */
export function placesOf(address: string): string[] {
  if (!address.includes(":") || !URL.canParse(`http://[${address}]`)) return [address];
  const { hostname } = new URL(`http://[${address}]`);
  const [before = "", after = ""] = hostname.slice(1, -1).split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [head, tail] = [groups(before), groups(after)];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  const all = [...head, ...zeros, ...tail].map((group) => group.padStart(4, "0")).join("");
  const mapped = /^0{20}ffff(..)(..)(..)(..)$/.exec(all);
  if (mapped)
    return [
      mapped
        .slice(1)
        .map((byte) => Number.parseInt(byte, 16))
        .join("."),
    ];
  return [16, 14, 12].map((digits) => `${all.slice(0, digits)}/${digits * 4}`);
}

/** One line into one house, as a rule: an IPv4 address, or an IPv6 /56. */
export function householdOf(request: Pick<Request, "headers">): string {
  const [narrowest = "", household = narrowest] = placesOfRequest(request);
  return household;
}

/** The place of the network that a request comes from, and those around it, the narrowest first. */
export function placesOfRequest({ headers }: Pick<Request, "headers">): string[] {
  return placesOf(headers.get("CF-Connecting-IP") ?? "unknown");
}
