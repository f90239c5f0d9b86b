/**
 * The language of hostile text: an instruction is one word of letters, digits and dots, so that it survives in a file name, a
 * commit message, a comment, JSON, a diff and whatever quotes it. Whoever reads it and obeys calls that tool with that input.
 */

export interface Instruction {
  /** Names the deed and where it stood. */
  readonly id: string;
  /** Whose sessions obey; null: everybody's. */
  readonly role: string | null;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A tool that other agents alone have: a request to their client, `method` and `params`. */
export const CLIENT = 'client';
/** What an agent of somebody else's says to its model of itself, as opposed to whoever found its token. */
export const BY_ITSELF = 'By the agent itself, who did all of this:';

const WORD = /OBEY\.([A-Za-z0-9_-]+)\.NOW/g;

export function worded(instruction: Instruction): string {
  return `OBEY.${Buffer.from(JSON.stringify(instruction)).toString('base64url')}.NOW`;
}

/** Those that a text holds, in their order; what was cut off says nothing. */
export function instructionsIn(text: string): Instruction[] {
  return [...text.matchAll(WORD)].flatMap(([, word = '']) => {
    try {
      return [JSON.parse(Buffer.from(word, 'base64url').toString('utf8')) as Instruction];
    } catch {
      return []; // cut off
    }
  });
}

/** Tells that an instruction was followed; in letters that no JSON changes. */
export function toldAsDone(role: string, { id }: Instruction): string {
  return `DID.${role}.${Buffer.from(id).toString('base64url')}.`;
}

/** What was told so: roles and names of instructions. */
export function doneIn(text: string): { readonly role: string; readonly id: string }[] {
  return [...text.matchAll(/DID\.([a-z]+)\.([A-Za-z0-9_-]+)\./g)].map(([, role = '', id = '']) => ({
    role,
    id: Buffer.from(id, 'base64url').toString('utf8'),
  }));
}
