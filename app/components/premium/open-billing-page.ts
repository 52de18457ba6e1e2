import { type PostAnswer, postForm } from "~/components/form/post-form";

/** How long the server may take, including its calls to Stripe, in milliseconds. */
const timeoutMs = 30_000;
/** How long the browser may take to open the page, in milliseconds. */
const redirectMs = 10_000;

/**
 * Sends a form whose answer is the address of a page of the payment provider, and opens that page.
 * @param onStopped called where the browser has not left this page some time later: a user who stops
 *   it on the way can press the button again.
 * @returns null once the browser is on its way, or else the answer that names no page.
 */
export async function openBillingPage(
  form: HTMLFormElement,
  onStopped: () => void,
): Promise<PostAnswer | null> {
  const fields = new FormData(form).entries();
  const texts = [...fields].map(([name, value]) => [name, String(value)]);
  const answer = await postForm(form.action, Object.fromEntries(texts), { timeoutMs });
  const { url } = answer.data;
  if (!answer.ok || typeof url !== "string" || url === "") return answer;
  window.location.assign(url);
  window.setTimeout(onStopped, redirectMs);
  return null;
}
