import { version } from "../../package.json";

/** The operator of the product, for the services that it calls. */
export interface Caller {
  appOrigin: string;
  contactEmail: string;
}

/** The product by name and version. */
export const product = { name: "Fivefold", version };

/** The User-Agent of the Worker's calls: the product, and an address to write to about it. */
function userAgent({ appOrigin, contactEmail }: Caller): string {
  return `${product.name}/${product.version} (+${appOrigin}; ${contactEmail})`;
}

/** `fetch`, with the caller's User-Agent. A browser's own `fetch` sends that of the browser. */
export function fetchAs(caller: Caller): typeof fetch {
  return (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("User-Agent", userAgent(caller));
    return fetch(input, { ...init, headers });
  };
}
