import { useEffect, useRef } from "react";
import { useSavedChoice } from "~/components/form/use-saved-choice";
import { Notice } from "~/components/notice";
import { aspects, maxReasons, type Reasons } from "~/exchange/rating/reasons";

const questions = [
  { name: "liked", text: "What did you like?" },
  { name: "improve", text: "What could be better?" },
] as const;

function choiceOf(reasons: Reasons): string {
  const named = questions.flatMap(({ name }) => reasons[name].map((aspect) => [name, aspect]));
  return new URLSearchParams(named).toString();
}

/** Asks why, in at most three words. Each is saved as it is chosen. */
export function ReasonsForm({ songId, reasons }: { songId: string; reasons: Reasons }) {
  const action = `/songs/${encodeURIComponent(songId)}/reasons`;
  const { value, status, error, choose } = useSavedChoice(choiceOf(reasons), action, (choice) => [
    ...new URLSearchParams(choice),
  ]);
  const form = useRef<HTMLFormElement>(null);
  const read = () => {
    const data = form.current ? new FormData(form.current) : new FormData();
    return choiceOf({ liked: data.getAll("liked"), improve: data.getAll("improve") } as Reasons);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script has arrived
  useEffect(() => {
    // A choice from before the script arrived has not been saved yet.
    if (read() !== value) choose(read());
  }, []);
  // Older browsers' parameters tell neither their number nor whether they have a value.
  const chosen = [...new URLSearchParams(value)];
  const has = (name: string, aspect: string) =>
    chosen.some(([question, one]) => question === name && one === aspect);
  return (
    <form
      ref={form}
      className="reasons"
      method="post"
      action={action}
      aria-label="Reasons for your rating"
      onSubmit={(event) => event.preventDefault()}
    >
      {questions.map(({ name, text }) => (
        <fieldset key={name}>
          <legend>{text}</legend>
          {aspects.map((aspect) => {
            const isOther = questions.some(
              (other) => other.name !== name && has(other.name, aspect),
            );
            const isChosen = has(name, aspect);
            return (
              <label key={aspect}>
                <input
                  type="checkbox"
                  autoComplete="off"
                  name={name}
                  value={aspect}
                  checked={isChosen}
                  disabled={isOther || (!isChosen && chosen.length >= maxReasons)}
                  onChange={() => choose(read())}
                />
                <span>{aspect}</span>
              </label>
            );
          })}
        </fieldset>
      ))}
      <noscript>
        <button className="button plain small" type="submit">
          Send
        </button>
      </noscript>
      <p className="quiet" role="status">
        {status && chosen.length >= maxReasons
          ? `${status} That's three.`
          : status || (chosen.length > 0 ? thanks : "Optional, anonymous, up to three in all.")}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}

const thanks = "Thank you for saying why.";
