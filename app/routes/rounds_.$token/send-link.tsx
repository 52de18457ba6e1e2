import { useState } from "react";
import { inText } from "~/exchange/round/round";

/** The link to pass on: by the device's own sheet, or copied. Without scripts it stands there to be taken. */
export function SendLink({ address, name, free }: { address: string; name: string; free: number }) {
  const [said, setSaid] = useState("");
  if (free === 0) return null;
  async function send() {
    try {
      if (navigator.share) return await navigator.share({ title: name, url: address });
      await navigator.clipboard.writeText(address);
      setSaid("The link is copied.");
    } catch {
      // Who closes the sheet has the link below.
    }
  }
  return (
    <div className="round-link">
      <button className="button plain" type="button" onClick={send}>
        {`Send the link to ${free === 1 ? "one" : inText(free)} more`}
      </button>
      <p className="field">
        <input
          type="text"
          readOnly
          value={address}
          aria-label="The round's link"
          onFocus={(event) => event.currentTarget.select()}
        />
      </p>
      <p role="status">{said}</p>
    </div>
  );
}
