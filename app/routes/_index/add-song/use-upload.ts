import { useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { postForm, unreachable } from "~/components/form/post-form";
import { useShown } from "~/components/form/use-post";
import { useQuestionBeforeLeaving } from "~/components/layout/navigation";
import { proposeTitle, takeDropped } from "./dropped";
import { changeOf, faultOfFile, findFault, type UploadFault } from "./find-fault";
import type { Loudness } from "./measure-loudness.client";
import { sendUpload } from "./send-upload";

interface UploadState {
  /** "gone": the line is, and it goes on by itself; "broken": it does not any more; "here": all has come. */
  phase: "idle" | "going" | "gone" | "broken" | "here";
  /** Bytes that have left, and all of them. */
  progress: { sent: number; all: number };
  note: string;
  /** Since when, in milliseconds. */
  since: number;
  /** What is wrong, said beside its field; beside the button where it is no field's. */
  fault: UploadFault | null;
}

const nothing = { sent: 0, all: 0 };
const quiet: UploadState = { phase: "idle", progress: nothing, note: "", since: 0, fault: null };

/** Of what was chosen: what is wrong with it, the title that it proposed, and how loud it is. */
interface Chosen {
  file?: File | undefined;
  cover?: File | undefined;
  faults: { file?: string | null | undefined; cover?: string | null | undefined };
  title: string;
  loudness: Promise<Loudness> | null;
}

interface Sent {
  file?: File | undefined;
  cover?: File | undefined;
  /** Where it is once it is here. */
  draft?: string;
  /** The press has come. */
  isWanted?: boolean | undefined;
}

const mostTries = 5;
const firstWaitMs = 2000;

const leaving = "Your song is still being uploaded. If you leave now, it may not arrive.";

/** Sends a file as soon as it is chosen, and what is said of it with the press. What is wrong is said before it travels. */
export function useUpload(takesGenerated: boolean) {
  const [state, setState] = useState(quiet);
  const form = useRef<HTMLFormElement>(null);
  const [hasCover, setHasCover] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const [isSilent, setSilent] = useState(false);
  const chosen = useRef<Chosen>({ faults: {}, title: "", loudness: null });
  const upload = useRef<ReturnType<typeof sendUpload> | null>(null);
  const sent = useRef<Sent>({});
  const taking = useRef(Promise.resolve());
  const shown = useShown();
  const navigate = useNavigate();
  const { phase, note, fault } = state;
  const isUnderWay = phase === "going" || phase === "gone";
  useQuestionBeforeLeaving(() => isUnderWay && !window.confirm(leaving));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls reads only what stays the same
  useEffect(() => {
    // It may have been chosen before this script ran.
    if (form.current) take(form.current);
    return () => upload.current?.stop();
  }, []);
  useEffect(() => {
    if (!isUnderWay) return;
    form.current?.scrollIntoView();
    const breakOff = () => upload.current?.stop();
    window.addEventListener("beforeunload", warn);
    window.addEventListener("offline", breakOff);
    return () => {
      window.removeEventListener("beforeunload", warn);
      window.removeEventListener("offline", breakOff);
    };
  }, [isUnderWay]);

  useEffect(() => {
    const field = fault?.field ?? (phase === "idle" && note ? "file" : "");
    if (field) form.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus();
  }, [phase, note, fault]);

  function change(to: Partial<UploadState>): void {
    setState((before) => ({ ...before, ...to }));
  }

  async function send(form: HTMLFormElement, tries = 1): Promise<void> {
    const [file, cover] = [fileIn(form, "file"), fileIn(form, "cover")];
    const mine: Sent = { file, cover, isWanted: sent.current.isWanted };
    sent.current = mine;
    change({ phase: "going", progress: nothing, since: Date.now(), fault: null });
    upload.current?.stop();
    // Of two files with the same bytes, the server keeps the later.
    await upload.current?.answer;
    const isMeant = () => sent.current === mine && shown.current;
    if (!isMeant()) return;
    const fields = new FormData(form);
    fields.delete("rights");
    fields.delete("made");
    upload.current = sendUpload(form.action, fields, (sent, all) => {
      if (isMeant()) change({ progress: { sent, all } });
    });
    const { to, error, isBroken, isLineGone } = await upload.current.answer;
    const changed = isBroken ? await changeOf(fields) : null;
    if (!isMeant()) return shown.current ? discard(to) : undefined;
    if (isLineGone && !changed && tries < mostTries) {
      change({ phase: "gone" });
      await lineIsBack(firstWaitMs * tries);
      if (isMeant()) await send(form, tries + 1);
      return;
    }
    if (to) {
      mine.draft = to;
      change({ phase: "here", note: "" });
      return mine.isWanted ? say(form, to) : undefined;
    }
    sent.current = {};
    const phase = isBroken && !changed ? "broken" : "idle";
    change({ phase, fault: { field: "file", error: changed ?? error } });
    form.scrollIntoView();
  }

  /** Says what is asked of a draft, and leads to it. */
  async function say(form: HTMLFormElement, draft: string): Promise<void> {
    const [path] = draft.split("?");
    const loudness = await chosen.current.loudness;
    const said = ["title", "artist", "rights", "made"].map((name) => [name, textIn(form, name)]);
    const { ok, error } = await postForm(`${path}/name`, [
      ...(said as [string, string][]),
      ["loudness", typeof loudness === "number" ? `${loudness}` : ""],
    ]);
    if (!shown.current || sent.current.draft !== draft) return;
    if (ok) return navigate(draft, { replace: true });
    sent.current.isWanted = false;
    change({ fault: { field: "", error: error ?? unreachable } });
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    await taking.current;
    const fault = await findFault(new FormData(form), takesGenerated);
    if (!shown.current) return;
    if (fault) {
      if (fault.field === "made" && textIn(form, "made") === "generated") empty();
      return change({ fault, note: "" });
    }
    const { file, draft, isWanted } = sent.current;
    if (!file) send(form);
    sent.current.isWanted = true;
    change({ fault: null, note: draft ? "" : "As soon as it is here." });
    if (draft && !isWanted) say(form, draft);
  }

  /** Looks at what was chosen or dropped, one after the other, and sends it if nothing is wrong with it. */
  function take(form: HTMLFormElement, note = ""): void {
    taking.current = taking.current.then(async () => {
      const { faults } = chosen.current;
      for (const name of ["file", "cover"] as const) {
        const file = fileIn(form, name);
        if (file === chosen.current[name]) continue;
        chosen.current[name] = file;
        if (name === "cover") setHasCover(file !== undefined);
        else leave();
        faults[name] = file && (await faultOfFile(name, file));
        if (name === "cover") continue;
        // What is wrong is not sent, and the way to another file is open.
        if (faults.file) fieldOf(form, name).value = "";
        const right = fileIn(form, name);
        chosen.current.loudness = right ? measure(right) : null;
        setFile(right ?? null);
        if (right && chosen.current.title) takeBack(form);
        const title = fieldOf(form, "title");
        const isOpen = title.value === "" || title.value === chosen.current.title;
        if (right && isOpen) title.value = chosen.current.title = proposeTitle(right.name);
      }
      const field = (["file", "cover"] as const).find((name) => faults[name]);
      const fault = field ? { field, error: faults[field] ?? "" } : null;
      change({ fault, note: fault ? "" : note });
      const { file, cover } = sent.current;
      const isNew = fileIn(form, "file") !== file || fileIn(form, "cover") !== cover;
      if (isNew && !fault && fileIn(form, "file")) send(form);
    });
  }

  function onChange({ target, currentTarget }: FormEvent<HTMLFormElement>): void {
    if (target instanceof HTMLInputElement && target.files) take(currentTarget);
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
    if (!form.current) return;
    const cover = fieldOf(form.current, "cover");
    cover.value = "";
    cover.focus();
    take(form.current);
  }

  /** Gives up what was sent. */
  function leave(): void {
    upload.current?.stop();
    discard(sent.current.draft);
    sent.current = {};
    setState(quiet);
  }

  function stop(): void {
    empty();
    change({ note: "Stopped. Nothing was kept." });
  }

  function empty(): void {
    leave();
    setFile(null);
    chosen.current.file = undefined;
    if (form.current) fieldOf(form.current, "file").value = "";
  }

  /** A file that is dropped anywhere is taken, and never takes the page's place. */
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls reads only what stays the same
  useEffect(() => {
    function onDrag(event: DragEvent) {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      if (event.type !== "drop" || !form.current) return;
      take(form.current, takeDropped(form.current, [...event.dataTransfer.files]));
    }
    document.addEventListener("dragover", onDrag);
    document.addEventListener("drop", onDrag);
    return () => {
      document.removeEventListener("dragover", onDrag);
      document.removeEventListener("drop", onDrag);
    };
  }, []);

  const again = () => form.current && send(form.current);
  const another = () => form.current && fieldOf(form.current, "file").click();
  return {
    ...state,
    form,
    file,
    isSilent,
    hasCover,
    onSubmit,
    onChange,
    leaveCoverOut,
    ...{ stop, again, another },
  };
}

function discard(draft: string | null | undefined): void {
  if (draft) postForm(`${draft.split("?")[0]}/delete`);
}

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

/** What was said of one file is not said of another. */
function takeBack(form: HTMLFormElement): void {
  for (const box of form.querySelectorAll<HTMLInputElement>("[name=rights], [name=made]")) {
    box.checked = false;
  }
}

function fileIn(form: HTMLFormElement, name: string): File | undefined {
  return fieldOf(form, name).files?.[0];
}

function textIn(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? "");
}

/** Browsers do not know of every line that is gone. */
function lineIsBack(waitMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    if (navigator.onLine) setTimeout(resolve, waitMs);
    else window.addEventListener("online", resolve, { once: true });
  });
}

async function measure(file: File): Promise<Loudness> {
  try {
    const { measureLoudness } = await import("./measure-loudness.client");
    return await measureLoudness(file);
  } catch {
    return null;
  }
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
  // Browsers of 2021 ask only then.
  event.returnValue = leaving;
}
