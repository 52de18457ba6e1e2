import { aspects, type Reasons } from "~/exchange/rating/reasons";

const sides = [
  { name: "liked", text: "What did you like?" },
  { name: "improve", text: "What could be better?" },
] as const;

/** Without scripts, what the six words ask (`reasons-form.tsx`). */
export function ReasonBoxes({ reasons, action }: { reasons: Reasons; action: string }) {
  return (
    <details open={sides.some(({ name }) => reasons[name].length > 0)}>
      <summary className="link-button">What stayed with you?</summary>
      <form className="checkbox-form" method="post" action={action}>
        {sides.map(({ name, text }) => (
          <fieldset key={name}>
            <legend>{text}</legend>
            {aspects.map((aspect) => (
              <label key={aspect}>
                <input
                  type="checkbox"
                  autoComplete="off"
                  name={name}
                  value={aspect}
                  defaultChecked={reasons[name].includes(aspect)}
                />
                <span>{aspect}</span>
              </label>
            ))}
          </fieldset>
        ))}
        <button className="button plain small" type="submit">
          Keep these
        </button>
      </form>
    </details>
  );
}
