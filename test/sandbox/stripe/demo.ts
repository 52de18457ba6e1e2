/** The demo users with a subscription. The seeded database and the Stripe stand-in use the same ids. */

export interface DemoSubscriber {
  /** The musician's id. */
  musician: string;
  customerId: string;
  subscriptionId: string;
  invoiceId: string;
  status: "active" | "past_due";
}

export const demoSubscribers: readonly DemoSubscriber[] = [
  {
    musician: "demo-premium",
    customerId: "cus_DemoPremium001",
    subscriptionId: "sub_DemoPremium0000000000001",
    invoiceId: "in_DemoPremium0000000000001",
    status: "active",
  },
  {
    musician: "demo-pastdue",
    customerId: "cus_DemoPastdue001",
    subscriptionId: "sub_DemoPastdue0000000000001",
    invoiceId: "in_DemoPastdue0000000000001",
    status: "past_due",
  },
];

/** How many days ago both subscriptions began. */
export const SUBSCRIBED_DAYS_AGO = 20;
/** How many days ago the payment of the one who is past due failed, and in how many it is tried again. */
export const FAILED_DAYS_AGO = 2;
export const RETRY_IN_DAYS = 3;
