import { reject } from "~/platform/rejection";
import { earlyText, unlockTime } from "~/sources/listen";
import type { Source } from "~/sources/source";

const nothing = () => null;

/** An own recording: the server delivers its sound itself, so nobody is asked. */
export function filesSource({ now }: { now(): number }): Source {
  return {
    begin: async () => ({ is: "begun", learned: nothing }),
    follow: () => undefined,
    // Its owner decides; the count of those who could not play it begins anew.
    mayReturn: async () => null,
    unplayableText:
      "Three listeners could not play this song just now, so it rests. Press the button again to bring it back all the same.",
    // Its sound had begun to come.
    doesNotPlay: async (deliveredMs) => deliveredMs > 0,
    /** The clock must say so, and that much must have come without a gap (rule 15, proof of hearing). Nothing stands in for either. */
    async verify(_viewer, _song, listen) {
      const at = now();
      const { deliveredMs } = listen;
      const wait = unlockTime(listen, at) - at;
      const missing = listen.requiredSeconds * 1000 - deliveredMs;
      if (wait <= 0 && missing <= 0) {
        return { is: "heard", evidence: "delivery", at, learned: nothing, ofLogin: null };
      }
      const secondsLeft = Math.ceil(Math.max(wait, missing) / 1000);
      const rejection = reject(409, earlyText, { secondsLeft, deliveredMs });
      return { is: "open", learned: nothing, rejection };
    },
  };
}
