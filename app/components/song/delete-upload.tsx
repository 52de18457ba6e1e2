import { ButtonForm } from "~/components/form/button-form";

/** Asks before it deletes an upload that is not submitted. Works without scripts. */
export function DeleteUpload({
  recordingId,
  title,
  next,
}: {
  recordingId: string;
  title: string;
  next: "/account" | "/?menu=addownsong";
}) {
  return (
    <details className="asks">
      <summary className="link-button">
        <span>Delete this upload</span>
        <span className="visually-hidden">{` ${title}`}</span>
      </summary>
      <p className="quiet">The file is gone then, and nobody can bring it back.</p>
      <ButtonForm
        action={`/recordings/${recordingId}/delete`}
        fields={next === "/account" ? { next } : {}}
        to={next}
        small
      >
        <span>Yes, delete it</span>
      </ButtonForm>
    </details>
  );
}
