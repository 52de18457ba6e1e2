import { useState } from "react";
import type { PostAnswer } from "~/components/form/post-form";
import { type Post, useSend } from "~/components/form/use-post";

/** Time limit for the server and its calls to Stripe, in milliseconds. */
const timeoutMs = 30_000;
/** Time limit for the browser to open the page, in milliseconds. */
const redirectMs = 10_000;

/**
 * Sends a form that is answered with the address of a page of the payment provider, and opens that page.
 * Without a script the plain form leads there too.
 * @param explain the message for an answer without an address.
 */
export function useBillingForm(explain: (answer: PostAnswer) => string): Post {
  const [leaving, setLeaving] = useState(false);
  const { busy, ...post } = useSend(
    (answer) => {
      const { url } = answer.data;
      if (typeof url !== "string" || url === "") return explain(answer);
      window.location.assign(url);
      setLeaving(true);
      // The button works again for whoever stops the page from loading, or comes back.
      window.setTimeout(() => setLeaving(false), redirectMs);
      window.addEventListener("pageshow", () => setLeaving(false), { once: true });
      return undefined;
    },
    { explain, timeoutMs },
  );
  return { ...post, busy: busy || leaving };
}
