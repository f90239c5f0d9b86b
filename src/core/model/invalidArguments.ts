/** Arguments of a tool call that are no JSON object. The tool is not called with them: its result states what is wrong. */

/** Name of the only argument of such a call; its value is the text that the model wrote. */
export const INVALID_ARGUMENTS = 'arguments_that_are_no_json_object';

const MAX_QUOTED = 2_000;

export const invalidArguments = (text: string): Readonly<Record<string, string>> => ({
  [INVALID_ARGUMENTS]: text.slice(0, MAX_QUOTED),
});

/** Whether a call's input stands for arguments that could not be read. */
export const areInvalid = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && Object.hasOwn(input, INVALID_ARGUMENTS);
