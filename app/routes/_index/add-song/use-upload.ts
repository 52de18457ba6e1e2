import { useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useShown } from "~/components/form/use-post";
import { useQuestionBeforeLeaving } from "~/components/layout/navigation";
import { proposeTitle, takeDropped } from "./dropped";
import { changeOf, faultOfFile, findFault, type UploadFault } from "./find-fault";
import type { Loudness } from "./measure-loudness.client";
import { sendUpload } from "./send-upload";

interface UploadState {
  /** Bytes that have left, and all of them; null while nothing is being sent. */
  progress: { sent: number; all: number } | null;
  note: string;
  /** Since when, in milliseconds. */
  since: number;
  /** What is wrong, said beside its field; beside the button where it is no field's. */
  fault: UploadFault | null;
  /** What was sent can be sent once more as it is. */
  isBroken: boolean;
}

const quiet: UploadState = { progress: null, note: "", since: 0, fault: null, isBroken: false };

/** Of what was chosen: what is wrong with it, the title that it proposed, and how loud it is. */
interface Chosen {
  faults: Partial<Record<"file" | "cover", string | null>>;
  title: string;
  loudness: Promise<Loudness> | null;
}

const leaving = "Your song is still being uploaded. If you leave now, it may not arrive.";

/** Sends an upload's form in the background, once at a time. What is wrong with it is said before anything travels. */
export function useUpload(takesGenerated: boolean) {
  const [state, setState] = useState(quiet);
  const upload = useRef<Pick<ReturnType<typeof sendUpload>, "stop" | "breakOff"> | null>(null);
  const isBusy = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const [hasCover, setHasCover] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const [isSilent, setSilent] = useState(false);
  const chosen = useRef<Chosen>({ faults: {}, title: "", loudness: null });
  const shown = useShown();
  const navigate = useNavigate();
  const isSending = state.progress !== null;
  useQuestionBeforeLeaving(() => upload.current !== null && !window.confirm(leaving));
  useEffect(() => {
    // Firefox keeps them locked when the page is loaded again.
    if (form.current) lock(form.current, false);
    return () => upload.current?.stop();
  }, []);
  useEffect(() => {
    if (!isSending) return;
    form.current?.scrollIntoView();
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
    form.querySelector<HTMLElement>("button[type=submit]")?.focus();
    lock(form, true);
    const fault = await findFault(fields, takesGenerated);
    if (!shown.current) return;
    if (fault) {
      lock(form, false);
      setState({ ...quiet, fault });
      return form.querySelector<HTMLElement>(`[name=${fault.field}]`)?.focus();
    }
    setState({ ...quiet, note: "Reading your song..." });
    const loudness = await chosen.current.loudness;
    if (!shown.current) return;
    if (typeof loudness === "number") fields.set("loudness", `${loudness}`);
    const since = Date.now();
    const { answer: sent, ...hold } = sendUpload(form.action, fields, (sent, all) =>
      setState({ ...quiet, since, progress: { sent, all } }),
    );
    upload.current = hold;
    setState({ ...quiet, since, progress: { sent: 0, all: 0 } });
    const answer = await sent;
    upload.current = null;
    if (!shown.current) return;
    if (answer?.to) return navigate(answer.to, { replace: true });
    const changed = answer?.isBroken ? await changeOf(fields) : null;
    if (!shown.current) return;
    lock(form, false);
    if (changed) return setState({ ...quiet, fault: { field: "", error: changed } });
    if (!answer) setState({ ...quiet, note: "Stopped. Nothing was kept." });
    else {
      const { error, isBroken } = answer;
      setState({ ...quiet, isBroken, fault: error ? { field: "", error } : null });
    }
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
    if (!(target instanceof HTMLInputElement) || isBusy.current || !target.files) return;
    if (target.name === "cover") setHasCover(target.files.length > 0);
    await check(target, chosen.current);
    if (target.name === "file") setFile(target.files[0] ?? null);
    if (!isBusy.current) setState(stateAfter(chosen.current));
  }

  useEffect(() => {
    let isMeant = file !== null;
    setSilent(false);
    chosen.current.loudness?.then((told) => isMeant && setSilent(told === "silent"));
    return () => {
      isMeant = false;
    };
  }, [file]);

  function leaveCoverOut(): void {
    const cover = form.current?.elements.namedItem("cover");
    if (isBusy.current || !(cover instanceof HTMLInputElement)) return;
    cover.value = "";
    cover.focus();
    cover.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** A file that is dropped anywhere is taken, and never takes the page's place. */
  useEffect(() => {
    async function onDrag(event: DragEvent) {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      if (event.type !== "drop" || isBusy.current || !form.current) return;
      const { fields, note } = takeDropped(form.current, [...event.dataTransfer.files]);
      for (const field of fields) {
        if (field.name === "cover") setHasCover(true);
        await check(field, chosen.current);
        if (field.name === "file") setFile(field.files?.[0] ?? null);
      }
      if (!isBusy.current) setState(stateAfter(chosen.current, note));
    }
    document.addEventListener("dragover", onDrag);
    document.addEventListener("drop", onDrag);
    return () => {
      document.removeEventListener("dragover", onDrag);
      document.removeEventListener("drop", onDrag);
    };
  }, []);

  const stop = () => upload.current?.stop();
  return { ...state, form, file, isSilent, hasCover, onSubmit, onChange, leaveCoverOut, stop };
}

/** What is on its way is what the form shows. */
function lock(form: HTMLFormElement, isLocked: boolean): void {
  for (const field of form.querySelectorAll("input")) field.disabled = isLocked;
}

async function measure(file: File): Promise<Loudness> {
  try {
    const { measureLoudness } = await import("./measure-loudness.client");
    return await measureLoudness(file);
  } catch {
    return null;
  }
}

/** Looks at what was chosen in a field, and proposes a title in the place of the one that was proposed before. */
async function check(field: HTMLInputElement, chosen: Chosen): Promise<void> {
  const [file] = field.files ?? [];
  const name = field.name === "file" ? "file" : "cover";
  const error = file ? await faultOfFile(name, file) : null;
  if (field.files?.[0] !== file) return;
  chosen.faults[name] = error;
  if (name === "file") chosen.loudness = file && !error ? measure(file) : null;
  // What is wrong is not sent, and the way to another file is open.
  if (name === "file" && error) field.value = "";
  const title = field.form?.elements.namedItem("title");
  if (!file || error || name === "cover" || !(title instanceof HTMLInputElement)) return;
  const isOpen = title.value === "" || title.value === chosen.title;
  chosen.title = proposeTitle(file.name);
  if (isOpen) title.value = chosen.title;
}

/** What is wrong is said in the place of what would be said of it otherwise. */
function stateAfter({ faults }: Chosen, note = ""): UploadState {
  for (const field of ["file", "cover"] as const) {
    const error = faults[field];
    if (error) return { ...quiet, fault: { field, error } };
  }
  return { ...quiet, note };
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
  // Browsers of 2021 ask only then.
  event.returnValue = leaving;
}
