/** What is typed behind a command. */
import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;

interface Command<O extends Options> {
  /** As it is typed, with what may follow. */
  usage: string;
  options?: O;
  /** How many words may follow, and of what form. None unless set. */
  words?: { least?: number; most: number; form?: RegExp };
}

type Given<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true }>
>;

/**
 * Reads what was typed. Prints the usage and ends the process, before the command has done anything: for `--help`,
 * and with code 1 for what it does not know.
 */
export function readArguments<const O extends Options = Record<never, never>>({
  usage,
  options,
  words: { least = 0, most, form } = { most: 0 },
}: Command<O>): { options: Given<O>["values"]; words: string[] } {
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, help: { type: "boolean" } } as Options,
      allowPositionals: true,
    });
    if (values.help) {
      console.log(`Usage: ${usage}`);
      process.exit(0);
    }
    const unknown = positionals.find((word, n) => n >= most || form?.test(word) === false);
    if (unknown !== undefined) throw new Error(`Not known here: ${unknown}`);
    if (positionals.length < least) throw new Error("Something is missing.");
    return { options: values as Given<O>["values"], words: positionals };
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: ${usage}`);
    process.exit(1);
  }
}
