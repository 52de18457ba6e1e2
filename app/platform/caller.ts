import { version } from "../../package.json";

/** Whom the services that we call can write to. */
export interface Caller {
  appOrigin: string;
  contactEmail: string;
}

export const product = { name: "Fivefold", version };

export function fetchAs({ appOrigin, contactEmail }: Caller): typeof fetch {
  const userAgent = `${product.name}/${product.version} (+${appOrigin}; ${contactEmail})`;
  return (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("User-Agent", userAgent);
    return fetch(input, { ...init, headers });
  };
}
