/** Stands in feedback before what a command printed, up to the end of the text. */
export const PRINTED = 'What it printed, shortened:\n';
