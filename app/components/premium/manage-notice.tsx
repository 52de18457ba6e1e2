import { ManageSubscription } from "./manage-subscription";

/** A notice about the subscription, with the button to fix the problem. */
export function ManageNotice({
  tone,
  children,
  label,
}: {
  tone: "error" | "info";
  children: string;
  label?: string;
}) {
  return (
    <div className={`notice ${tone} premium-row`}>
      <p role={tone === "error" ? "alert" : undefined}>{children}</p>
      <ManageSubscription {...(label ? { label } : {})} />
    </div>
  );
}
