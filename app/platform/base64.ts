/** Base64 of bytes, plain and URL-safe. Plain loops, because every request runs it. */

/** Plain base64, with its padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The bytes of a plain base64 text, with or without padding; null if it is not one. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const plain = atob(text);
    const bytes = new Uint8Array(plain.length);
    for (let at = 0; at < plain.length; at += 1) bytes[at] = plain.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
}

/** URL-safe base64, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of a URL-safe base64 text; null if it is not one. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}
