import type { ByteRange } from "./pacing";

/**
 * The part of a file that a request asks for. "whole" without a range, with one that cannot be read, and with
 * several (RFC 9110, 14.2); "none" for one beyond the end.
 */
export function askedRange(header: string | null, bytes: number): ByteRange | "whole" | "none" {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return "whole";
  if (first === "") {
    const from = Math.max(0, bytes - Number(last));
    return from < bytes ? { from, to: bytes } : "none";
  }
  const from = Number(first);
  if (last !== "" && Number(last) < from) return "whole";
  if (from >= bytes) return "none";
  return { from, to: last === "" ? bytes : Math.min(bytes, Number(last) + 1) };
}
