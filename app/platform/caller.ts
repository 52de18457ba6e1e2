import { version } from "../../package.json";

/** The operator of the product, for the services that it calls. */
export interface Caller {
  appOrigin: string;
  contactEmail: string;
}

/** The product by name and version. */
export const product = { name: "Fivefold", version };

/** `fetch` with a User-Agent that names the product and whom to write to about it. */
export function fetchAs({ appOrigin, contactEmail }: Caller): typeof fetch {
  const userAgent = `${product.name}/${product.version} (+${appOrigin}; ${contactEmail})`;
  return (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("User-Agent", userAgent);
    return fetch(input, { ...init, headers });
  };
}
