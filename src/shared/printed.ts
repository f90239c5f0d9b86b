/** Comes before the output of a command in feedback. The output is the rest of the text. */
export const PRINTED = 'What it printed, shortened:\n';
