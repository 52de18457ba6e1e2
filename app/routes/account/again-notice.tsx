import { Notice } from "~/components/notice";

/** What was asked for needed a recent login, and waits for another press. */
export function AgainNotice() {
  return (
    <Notice tone="info">
      Thank you for logging in again. Nothing has changed yet: please press the button once more.
    </Notice>
  );
}
