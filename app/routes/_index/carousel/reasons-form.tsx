import type { ComponentType } from "react";
import { useSavedChoice } from "~/components/form/use-saved-choice";
import { Notice } from "~/components/notice";
import { type Aspect, aspects, maxReasons, type Reasons } from "~/exchange/rating/reasons";

const sides = [
  { name: "liked", said: "liked" },
  { name: "improve", said: "could be better" },
] as const;

function choiceOf(reasons: Reasons): string {
  const named = sides.flatMap(({ name }) =>
    aspects.filter((aspect) => reasons[name].includes(aspect)).map((aspect) => [name, aspect]),
  );
  return new URLSearchParams(named).toString();
}

/** Only on the server, whose page works without scripts. */
export type ReasonBoxes = ComponentType<{ reasons: Reasons; action: string }>;

/** Asks what stayed, in at most three words. Each is saved as it is chosen; without scripts, with a button. */
export function ReasonsForm({
  songId,
  reasons,
  boxes: Boxes,
}: {
  songId: string;
  reasons: Reasons;
  boxes: ReasonBoxes | undefined;
}) {
  const action = `/songs/${encodeURIComponent(songId)}/reasons`;
  return (
    <div className="reasons">
      <Words reasons={reasons} action={action} />
      <noscript>{Boxes ? <Boxes reasons={reasons} action={action} /> : null}</noscript>
    </div>
  );
}

/** Six words that know three states: the first tap likes, the second finds that it could be better, the third nothing. */
function Words({ reasons, action }: { reasons: Reasons; action: string }) {
  const { value, error, choose } = useSavedChoice(choiceOf(reasons), action, (choice) => [
    ...new URLSearchParams(choice),
  ]);
  const chosen = new URLSearchParams(value);
  const named = (name: keyof Reasons) => chosen.getAll(name) as Aspect[];
  const isFull = named("liked").length + named("improve").length >= maxReasons;

  function tap(aspect: Aspect, side: keyof Reasons | undefined) {
    if (!side && isFull) return;
    const others = {
      liked: named("liked").filter((one) => one !== aspect),
      improve: named("improve").filter((one) => one !== aspect),
    };
    const next = side === "liked" ? "improve" : side ? null : "liked";
    choose(choiceOf(next ? { ...others, [next]: [...others[next], aspect] } : others));
  }

  return (
    <div>
      <fieldset>
        <legend>What stayed with you?</legend>
        {aspects.map((aspect) => {
          const side = sides.find(({ name }) => named(name).includes(aspect));
          return (
            <button
              key={aspect}
              type="button"
              data-is={side?.name}
              aria-label={`${aspect}: ${side?.said ?? "nothing said"}`}
              aria-disabled={(!side && isFull) || undefined}
              onClick={() => tap(aspect, side?.name)}
            >
              {aspect}
            </button>
          );
        })}
      </fieldset>
      <p className="told" role="status">
        {readBack(named("liked"), named("improve"), isFull)}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </div>
  );
}

function readBack(liked: Aspect[], improve: Aspect[], isFull: boolean): string {
  if (liked.length + improve.length === 0) {
    return "Tap once: liked. Tap twice: could be better. Up to three, nobody learns whose.";
  }
  return [
    liked.length > 0 ? `You liked ${listed(liked)}.` : "",
    improve.length > 0 ? `T${listed(improve).slice(1)} could be better.` : "",
    isFull ? "Three is all." : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** "the melody, the lyrics and the groove". */
function listed(words: Aspect[]): string {
  return words
    .map((word) => `the ${word.toLowerCase()}`)
    .join(", ")
    .replace(/, (?!.*, )/, " and ");
}
