import { unreachable } from "~/components/form/post-form";

/** As long as the server waits for the next byte. */
const longestSilenceMs = 60_000;

export interface UploadAnswer {
  /** Where the draft is; null if there is none. */
  to: string | null;
  error: string | null;
  /** Nothing is wrong with what was sent, so it can be sent once more as it is. */
  isBroken: boolean;
}

const brokenOff = "The connection broke off, and nothing was kept. Your file is still chosen here.";
const brokenAtEnd =
  "The connection broke off at the end. Your song may have arrived: look at your account, or try again. The same file is kept only once.";

/**
 * Sends an upload. `answer` never rejects, and is null once it was stopped. `onProgress` gets the bytes that have
 * left, of all of them; a connection without any for a minute counts as broken.
 */
export function sendUpload(
  action: string,
  form: FormData,
  onProgress: (sent: number, all: number) => void,
): { answer: Promise<UploadAnswer | null>; stop(): void; breakOff(): void } {
  // `fetch` tells no progress.
  const request = new XMLHttpRequest();
  let isStopped = false;
  let hasLeft = false;
  const answer = new Promise<UploadAnswer | null>((resolve) => {
    let timer = setTimeout(() => request.abort(), longestSilenceMs);
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), longestSilenceMs);
      hasLeft = loaded >= total;
      onProgress(loaded, total);
    };
    request.onloadend = () => {
      clearTimeout(timer);
      resolve(isStopped ? null : readAnswer(request, hasLeft));
    };
  });
  request.open("POST", action);
  request.setRequestHeader("Accept", "application/json");
  request.send(form);
  return {
    answer,
    breakOff: () => request.abort(),
    stop() {
      isStopped = true;
      request.abort();
    },
  };
}

function readAnswer({ status, responseText }: XMLHttpRequest, hasLeft: boolean): UploadAnswer {
  if (status === 0) return { to: null, error: hasLeft ? brokenAtEnd : brokenOff, isBroken: true };
  const { to, error } = parsed(responseText);
  if (status < 300 && typeof to === "string") return { to, error: null, isBroken: false };
  const text = typeof error === "string" && error !== "" ? error : unreachable;
  return { to: null, error: text, isBroken: status >= 500 || [408, 429].includes(status) };
}

function parsed(text: string): { to?: unknown; error?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
