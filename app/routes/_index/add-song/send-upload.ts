import { unreachable } from "~/components/form/post-form";

/** As long as the server waits for the next byte. */
const longestSilenceMs = 60_000;

export interface UploadAnswer {
  /** Where the draft is; null if there is none. */
  to: string | null;
  error: string;
  /** Nothing is wrong with what was sent, so it can be sent once more as it is. */
  isBroken: boolean;
  isLineGone: boolean;
}

const brokenOff = "The connection broke off, and nothing was kept. Your file is still chosen here.";
const brokenAtEnd =
  "The connection broke off at the end. Your song may have arrived: look at your account, or try again. The same file is kept only once.";

/**
 * Sends an upload. `answer` never rejects; once all has left, it is waited for. `onProgress` gets the bytes that have
 * left, of all of them; a connection without any for a minute counts as broken.
 */
export function sendUpload(
  action: string,
  form: FormData,
  onProgress: (sent: number, all: number) => void,
): { answer: Promise<UploadAnswer>; stop(): void } {
  // `fetch` tells no progress.
  const request = new XMLHttpRequest();
  let hasLeft = false;
  const answer = new Promise<UploadAnswer>((resolve) => {
    let timer = setTimeout(() => request.abort(), longestSilenceMs);
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), longestSilenceMs);
      hasLeft = loaded >= total;
      onProgress(loaded, total);
    };
    request.onloadend = () => {
      clearTimeout(timer);
      resolve(readAnswer(request, hasLeft));
    };
  });
  request.open("POST", action);
  request.setRequestHeader("Accept", "application/json");
  request.send(form);
  return { answer, stop: () => void (hasLeft || request.abort()) };
}

function readAnswer({ status, responseText }: XMLHttpRequest, hasLeft: boolean): UploadAnswer {
  const { to, error } = parsed(responseText);
  const ofLine = hasLeft ? brokenAtEnd : brokenOff;
  return {
    to: status < 300 && typeof to === "string" ? to : null,
    error: typeof error === "string" && error !== "" ? error : status ? unreachable : ofLine,
    isBroken: status === 0 || status >= 500 || [408, 429].includes(status),
    isLineGone: status === 0,
  };
}

function parsed(text: string): { to?: unknown; error?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
