import type { ReactNode } from "react";
import { addressEntry } from "~/components/form/entry-form";
import { Notice } from "~/components/notice";
import { answerDays } from "~/db/rules";
import type { NoticeErrors } from "~/operator/notice";

/** Needs no script. What was entered stays where it is refused. */
export function NoticeForm({
  entered,
  errors = {},
  error = null,
  contactEmail,
}: {
  entered: Record<string, string>;
  errors?: NoticeErrors;
  error?: string | null;
  contactEmail: string;
}) {
  const field = (name: "location" | "words" | "name" | "address") => ({
    ...{ id: name, name, defaultValue: entered[name] ?? "" },
    "aria-invalid": errors[name] ? true : undefined,
    "aria-describedby": errors[name] ? `${name}-error` : undefined,
  });
  const isRefused = error !== null || Object.keys(errors).length > 0;
  return (
    <form className="prose" method="post" action="/notice">
      <h1>Report something</h1>
      {isRefused ? (
        <Notice tone="error">
          {error ?? "This was not sent yet. Look at what is marked below."}
        </Notice>
      ) : null}
      <p className="lead">
        Is something here yours, and may not be here, or is it against the law? Tell us, with or
        without an account.
      </p>
      <Entry
        id="location"
        label="What is it about? Its address, or its title and artist"
        {...errors}
      >
        <input type="text" autoComplete="off" required {...field("location")} />
      </Entry>
      <Entry id="words" label="What is wrong with it, and why?" {...errors}>
        <textarea rows={6} required {...field("words")} />
      </Entry>
      <Entry id="name" label="Your name, if you want to give it" {...errors}>
        <input type="text" autoComplete="name" {...field("name")} />
      </Entry>
      <Entry id="address" label="Your e-mail address, for our answer" {...errors}>
        <input type="text" {...addressEntry} required {...field("address")} />
      </Entry>
      <div className="checkbox-form">
        <label>
          <input
            type="checkbox"
            name="faith"
            defaultChecked={entered.faith === "on"}
            aria-describedby={errors.faith ? "faith-error" : undefined}
            required
          />
          <span>I believe in good faith that what I say here is right and complete.</span>
        </label>
        <FieldError id="faith" error={errors.faith} />
      </div>
      <button className="button" type="submit">
        Send it
      </button>
      <p className="quiet">
        <span>{`We answer within ${answerDays} days. You can also write to `}</span>
        <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        <span>. Whoever submitted the song does not learn who you are.</span>
      </p>
    </form>
  );
}

type EntryProps = NoticeErrors & { id: keyof NoticeErrors; label: string; children: ReactNode };

function Entry({ id, label, children, ...errors }: EntryProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      <FieldError id={id} error={errors[id]} />
    </div>
  );
}

function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return error ? (
    <p className="field-error" id={`${id}-error`}>
      {error}
    </p>
  ) : null;
}

export function NoticeSent() {
  return (
    <div className="prose">
      <h1>We have your report</h1>
      <p className="lead">
        A mail that says so is on its way to your address. If it does not come, look among the spam.
      </p>
      <p>
        {`A person reads what you have written, looks at what it is about, and decides. Within ${answerDays} days we write to you what we have decided, why, and what you can do if you disagree.`}
      </p>
      <a className="button plain" href="/">
        Go to the homepage
      </a>
    </div>
  );
}
