/** Idempotency keys: a mail that is posted twice with the same key is sent once. */
import { createHash } from "node:crypto";
import { MailFailure } from "./errors.ts";
import type { MailService } from "./service.ts";

const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

export interface Idempotency {
  /** Marks a key as in use until the returned function is called. Throws if it is in use already. */
  hold(key: string | null): () => void;
  /** The id of the mail that was sent with the key. Throws if that was a different mail. */
  sent(key: string | null, payload: string): string | null;
  /** Records a sent mail. Refused mails are not recorded: their key can be used again. */
  remember(key: string | null, payload: string, id: string): void;
}

export function createIdempotency({ context, mailbox }: MailService): Idempotency {
  const { keys } = mailbox;
  const held = new Set<string>();
  return {
    hold(key) {
      if (key === null) return () => {};
      if (key.length < 1 || key.length > 256) throw new MailFailure("invalid_idempotency_key");
      if (held.has(key)) throw new MailFailure("concurrent_idempotent_requests");
      held.add(key);
      return () => void held.delete(key);
    },
    sent(key, payload) {
      const used = key === null ? undefined : keys.get(key);
      if (!used || used.at < context.now() - KEY_LIFETIME_MS) return null;
      if (used.payload !== hash(payload)) throw new MailFailure("invalid_idempotent_request");
      return used.id;
    },
    remember(key, payload, id) {
      if (key === null) return;
      const at = context.now();
      keys.delete(key);
      keys.set(key, { at, payload: hash(payload), id });
      for (const [old, used] of keys) {
        if (used.at >= at - KEY_LIFETIME_MS) break;
        keys.delete(old);
      }
      context.store.changed();
    },
  };
}

function hash(payload: string): string {
  return createHash("sha256").update(payload).digest("base64");
}
