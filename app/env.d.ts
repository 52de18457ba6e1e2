/// <reference types="@remix-run/dev" />

/** Workers' own, which the browser's types lack. */
interface Crypto {
  readonly DigestStream: typeof DigestStream;
}
