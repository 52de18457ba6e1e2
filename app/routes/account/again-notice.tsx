import { Notice } from "~/components/notice";

/** Says that an action that needed a recent login can now be repeated. */
export function AgainNotice() {
  return (
    <Notice tone="info">
      Thank you for logging in again. Nothing has changed yet: please press the button once more.
    </Notice>
  );
}
