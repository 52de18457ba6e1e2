import { createContext } from "react";

/** The nonce of the page's scripts while the server renders; empty in the browser, which hides nonces. */
export const NonceContext = createContext("");
