import { createContext } from "react";

/** The nonce of the page's scripts on the server; empty in the browser, which hides nonces. */
export const NonceContext = createContext("");
