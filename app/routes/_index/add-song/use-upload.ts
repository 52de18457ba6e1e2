import { useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useShown } from "~/components/form/use-post";
import { useQuestionBeforeLeaving } from "~/components/layout/navigation";
import { takeDropped } from "./dropped";
import { changeOf, faultOfFile, findFault } from "./find-fault";
import { sendUpload } from "./send-upload";

interface UploadState {
  /** Bytes that have left, and all of them; null while nothing is being sent. */
  progress: { sent: number; all: number } | null;
  note: string;
  error: string | null;
  /** What was sent can be sent once more as it is. */
  isBroken: boolean;
}

const quiet: UploadState = { progress: null, note: "", error: null, isBroken: false };

const leaving = "Your song is still being uploaded. If you leave now, nothing of it is kept.";

/** Sends an upload's form in the background, once at a time. What is wrong with it is said before anything travels. */
export function useUpload() {
  const [state, setState] = useState(quiet);
  const upload = useRef<Pick<ReturnType<typeof sendUpload>, "stop" | "breakOff"> | null>(null);
  const isBusy = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  /** What is wrong with what was chosen. */
  const faults = useRef<Partial<Record<"file" | "cover", string | null>>>({});
  const proposed = useRef("");
  const shown = useShown();
  const navigate = useNavigate();
  const isSending = state.progress !== null;
  useQuestionBeforeLeaving(() => upload.current !== null && !window.confirm(leaving));
  useEffect(() => () => upload.current?.stop(), []);
  useEffect(() => {
    if (!isSending) return;
    const breakOff = () => upload.current?.breakOff();
    window.addEventListener("beforeunload", warn);
    window.addEventListener("offline", breakOff);
    return () => {
      window.removeEventListener("beforeunload", warn);
      window.removeEventListener("offline", breakOff);
    };
  }, [isSending]);

  async function send(form: HTMLFormElement): Promise<void> {
    setState(quiet);
    const fields = new FormData(form);
    const fault = await findFault(fields);
    if (!shown.current) return;
    if (fault) {
      setState({ ...quiet, error: fault.error });
      const field = form.elements.namedItem(fault.field);
      return field instanceof HTMLElement ? field.focus() : undefined;
    }
    const { answer: sent, ...hold } = sendUpload(form.action, fields, (sent, all) =>
      setState({ ...quiet, progress: { sent, all } }),
    );
    upload.current = hold;
    setState({ ...quiet, progress: { sent: 0, all: 0 } });
    const answer = await sent;
    upload.current = null;
    if (!shown.current) return;
    if (answer?.to) return navigate(answer.to, { replace: true });
    const changed = answer?.isBroken ? await changeOf(fields) : null;
    if (!shown.current) return;
    if (changed) return setState({ ...quiet, error: changed });
    setState(answer ? { ...quiet, ...answer } : { ...quiet, note: "Stopped. Nothing was kept." });
    if (!answer) form.querySelector<HTMLElement>("button[type=submit]")?.focus();
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy.current) return;
    isBusy.current = true;
    await send(event.currentTarget);
    isBusy.current = false;
  }

  async function onChange({ target }: FormEvent<HTMLFormElement>): Promise<void> {
    if (!(target instanceof HTMLInputElement) || isBusy.current) return;
    if (!target.files) return;
    const [file] = target.files;
    const isSong = target.name === "file";
    const field = isSong ? "file" : "cover";
    const error = file ? await faultOfFile(field, file) : null;
    if (target.files[0] !== file) return;
    const title = target.form?.elements.namedItem("title");
    if (file && isSong && !error && title instanceof HTMLInputElement) {
      // One that somebody has written stays.
      const isOpen = title.value === "" || title.value === proposed.current;
      proposed.current = file.name.replace(/\.\w+$/, "").normalize();
      if (isOpen) title.value = proposed.current;
    }
    faults.current[field] = error;
    const found = faults.current.file ?? faults.current.cover ?? null;
    if (!isBusy.current) setState(({ note }) => ({ ...quiet, note, error: found }));
  }

  /** A file that is dropped anywhere is taken, and never takes the page's place. */
  useEffect(() => {
    function onDrag(event: DragEvent) {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      if (event.type !== "drop" || isBusy.current || !form.current) return;
      const note = takeDropped(form.current, [...event.dataTransfer.files]);
      setState({ ...quiet, note });
    }
    document.addEventListener("dragover", onDrag);
    document.addEventListener("drop", onDrag);
    return () => {
      document.removeEventListener("dragover", onDrag);
      document.removeEventListener("drop", onDrag);
    };
  }, []);

  return { ...state, form, onSubmit, onChange, stop: () => upload.current?.stop() };
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
  // Browsers of 2021 ask only then.
  event.returnValue = leaving;
}
