import type { ReactNode } from "react";
import { ManageNotice } from "~/components/premium/manage-notice";
import type { ViewerView } from "~/domain/session/views";
import { Footer } from "./footer";
import { type CurrentPage, Header } from "./header";

/**
 * The frame of every screen: skip link, header, main and footer, with a warning if the viewer's
 * payment is past due, and the button that mends it.
 */
export function Page({
  viewer,
  current,
  children,
}: {
  viewer: ViewerView | null;
  current: CurrentPage;
  children: ReactNode;
}) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header viewer={viewer} current={current} />
      <main className="main" id="main" tabIndex={-1}>
        {viewer?.subscription.showPaymentWarning ? (
          <ManageNotice tone="error" label="Update payment">
            Your payment is past due. Please update your payment method to continue enjoying premium
            features.
          </ManageNotice>
        ) : null}
        {children}
      </main>
      <Footer loggedIn={viewer !== null} />
    </>
  );
}
