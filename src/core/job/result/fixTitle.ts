/** Derives the title of a fix feature, a few words, from the feedback that asks for it. The title becomes the subject of a commit. */
import { cutAtWord } from '../../text/cutText.ts';

const MAX_TITLE = 60;
/** A heading, a bullet, a number of a list, or a quote. */
const MARK = /^(?:#+|[-*•>]|\d+[.)])\s+/;
/** The end of a sentence, or a colon or semicolon before more words. */
const END = /[.!?:;](?=\s|$)/;

/** Returns the first sentence, without marks of lists, cut at a word to 60 characters. Null if it has fewer than two words. */
export function fixTitle(feedback: string): string | null {
  const line = feedback
    .split('\n')
    .map((one) => one.trim().replace(MARK, ''))
    .find((one) => /\p{L}/u.test(one));
  if (line === undefined) return null;
  const end = line.search(END);
  const sentence = end > 0 ? line.slice(0, end) : line;
  return sentence.includes(' ') ? cutAtWord(sentence, MAX_TITLE) : null;
}

/** The title as a field of an event. No field if there is no title. */
export function titled(feedback: string): { readonly fix_title?: string } {
  const title = fixTitle(feedback);
  return title === null ? {} : { fix_title: title };
}
