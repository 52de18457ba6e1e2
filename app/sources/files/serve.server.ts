import { isRejection, type Rejection } from "~/platform/rejection";
import type { StoredType } from "./audio-file";
import { mediaTypes } from "./files";
import type { ByteRange } from "./pacing";
import { askedRange } from "./ranges";

export interface ServedFile {
  recordingId: string;
  type: StoredType;
  bytes: number;
}

/**
 * Answers a request for a recording's file, or for a part of it. `open` gives the bytes, or null where the file is
 * gone; then so is the answer.
 */
export async function serveFile(
  { method, headers: asked }: Pick<Request, "method" | "headers">,
  { recordingId, type, bytes }: ServedFile,
  open: (range: ByteRange) => Promise<ReadableStream<Uint8Array> | Rejection | null>,
): Promise<Response | null> {
  const etag = `"${recordingId}"`;
  const ifRange = asked.get("If-Range");
  const mayBePart = method === "GET" && (ifRange === null || ifRange === etag);
  const range = mayBePart ? askedRange(asked.get("Range"), bytes) : "whole";
  const headers = new Headers({ "Accept-Ranges": "bytes", ETag: etag });
  if (range === "none") {
    headers.set("Content-Range", `bytes */${bytes}`);
    return new Response(null, { status: 416, headers });
  }
  const { from, to } = range === "whole" ? { from: 0, to: bytes } : range;
  headers.set("Content-Type", mediaTypes[type]);
  headers.set("Content-Length", String(to - from));
  headers.set("Content-Disposition", "inline");
  headers.set("Cache-Control", "no-store");
  if (method === "HEAD") return new Response(null, { headers });
  const body = await open({ from, to });
  if (!body) return null;
  if (isRejection(body)) {
    const retry = { "Retry-After": String(body.secondsLeft) };
    return new Response(body.error, { status: body.status, headers: retry });
  }
  if (range === "whole") return new Response(body, { headers });
  headers.set("Content-Range", `bytes ${from}-${to - 1}/${bytes}`);
  return new Response(body, { status: 206, headers });
}
