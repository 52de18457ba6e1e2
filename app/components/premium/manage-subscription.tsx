import { useLocation } from "@remix-run/react";
import { useState } from "react";
import { PostedForm } from "~/components/form/button-form";
import type { PostAnswer } from "~/components/form/post-form";
import { type Post, useSend } from "~/components/form/use-post";
import { noEmailText } from "~/premium/no-email-text";

const timeoutMs = 30_000;
const redirectMs = 10_000;

/** Sends a form that is answered with the address of a page at Stripe, and opens that page. */
export function useBillingForm(explain: (answer: PostAnswer) => string): Post {
  const [leaving, setLeaving] = useState(false);
  const post = useSend(
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
  return { ...post, busy: post.busy || leaving };
}

export function ManageSubscription({ label = "Manage Subscription" }: { label?: string }) {
  const { pathname } = useLocation();
  const post = useBillingForm(({ status, error }) => {
    if (error && (status === 401 || error === noEmailText)) return error;
    const next = status === 404 ? "Please contact support." : "Please try again.";
    return `Failed to open subscription management. ${next}`;
  });
  return (
    <PostedForm
      post={post}
      className="billing"
      action="/portal-session"
      fields={{ next: pathname }}
    >
      {post.busy ? "Loading..." : label}
    </PostedForm>
  );
}

export function ManageNotice({
  tone,
  label,
  children,
}: {
  tone: "error" | "info";
  label?: string;
  children: string;
}) {
  return (
    <div className={`notice ${tone} premium-row`}>
      <p role={tone === "error" ? "alert" : undefined}>{children}</p>
      <ManageSubscription {...(label ? { label } : {})} />
    </div>
  );
}
