/** Escapes text of a model or a repository for places that accept only Markdown. */

const PUNCTUATION = /[!-/:-@[-`{-~]/g;
const NARROW = /\p{Cc}|\p{Cf}/gu;

/** Shown as it is: no link, no image, no emphasis, no command. Lines stay lines, hidden characters go. */
export function plainMarkdown(text: string): string {
  return text
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => {
      const shown = line.replaceAll('\t', '    ').replaceAll(NARROW, '').trimEnd();
      const indent = shown.length - shown.trimStart().length;
      return '\u00a0'.repeat(indent) + shown.trimStart().replaceAll(PUNCTUATION, String.raw`\$&`);
    })
    .map((line) => (line === '' ? '\u00a0' : line))
    .join('  \n');
}
