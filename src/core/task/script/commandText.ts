/**
 * Decides where a command may refer to a result. It is filled in as one quoted word, so only at positions where the shell reads words: elsewhere the
 * quotes would have no effect, and text of a model could become part of the command.
 */
import type { Piece } from './references.ts';

/** `code`: in parentheses, where words are read as outside of them. */
type Frame = 'code' | 'single' | 'double' | 'backtick' | 'brace' | 'arithmetic';

const QUOTES = 'is replaced by one quoted word: remove the quotes around it';
const NO_WORD = 'is replaced by one quoted word, and here the shell reads no word';
const HEREDOC = `${NO_WORD}: give it by printf '%s' {{…}} | … instead of a here-document`;

/** The reason why the first invalid reference is invalid. Null if all are valid. */
export function commandProblem(pieces: readonly Piece[]): { readonly reference: string; readonly why: string } | null {
  const reader = new CommandReader();
  for (const piece of pieces) {
    if ('text' in piece) reader.read(piece.text);
    else {
      const why = reader.refusal();
      if (why !== null) return { reference: piece.reference, why };
      reader.passWord();
    }
  }
  return null;
}

/** Follows the syntax of `sh` as far as needed. If shells differ, it chooses the stricter reading. */
class CommandReader {
  readonly #frames: Frame[] = [];
  #inComment = false;
  /** Set at a position after which every reference is refused. */
  #lost: string | null = null;
  #before = ' ';

  refusal(): string | null {
    if (this.#lost !== null) return this.#lost;
    if (this.#inComment || this.#before === '$') return NO_WORD;
    const frame = this.#frames.findLast((one) => one !== 'code');
    if (frame === undefined) return null;
    return frame === 'brace' || frame === 'arithmetic' ? NO_WORD : QUOTES;
  }

  passWord(): void {
    this.#before = 'x';
  }

  read(text: string): void {
    for (let at = 0; at < text.length; ) {
      const length = this.#inComment ? this.#comment(text, at) : this.#step(text, at);
      at += length;
      this.#before = text[at - 1] ?? this.#before;
    }
  }

  #comment(text: string, at: number): number {
    this.#inComment = text[at] !== '\n';
    return 1;
  }

  /** Returns the number of characters read. */
  #step(text: string, at: number): number {
    const character = text[at] ?? '';
    switch (this.#frames.at(-1)) {
      case 'single':
        if (character === "'") this.#frames.pop();
        return 1;
      case 'backtick':
        if (character === '`') this.#frames.pop();
        return character === '\\' ? 2 : 1;
      case 'double':
        if (character === '"') this.#frames.pop();
        return character === '"' ? 1 : this.#substitution(text, at);
      case 'arithmetic':
        if (character === ')') this.#frames.pop();
        else if (character === '(') this.#frames.push('arithmetic');
        return this.#substitution(text, at);
      case 'brace':
        if (character === '}') this.#frames.pop();
        return this.#quote(text, at);
      default:
        return this.#code(text, at);
    }
  }

  #code(text: string, at: number): number {
    const character = text[at] ?? '';
    if (character === '#' && /[\s;&|()]/.test(this.#before)) this.#inComment = true;
    else if (character === ')' && this.#frames.length > 0) this.#frames.pop();
    else if (character === '(') {
      if (text[at + 1] === '(') return this.#push(2, 'arithmetic', 'arithmetic');
      return this.#push(1, 'code');
    } else if (text.startsWith('<<', at)) {
      if (text[at + 2] === '<') return 3;
      this.#lost = HEREDOC;
      return 2;
    } else if (
      /^case\s/.test(text.slice(at, at + 5)) &&
      /[\s;&|(]/.test(this.#before) &&
      this.#frames.includes('double')
    ) {
      // Its patterns end with an unmatched parenthesis.
      this.#lost ??= QUOTES;
    }
    return this.#quote(text, at);
  }

  #quote(text: string, at: number): number {
    const character = text[at] ?? '';
    if (character === '"') return this.#push(1, 'double');
    if (character === "'") {
      // Only some shells know escapes in this form, so its end is uncertain.
      if (this.#before === '$') this.#lost ??= QUOTES;
      return this.#frames.includes('double') && this.#frames.at(-1) === 'brace' ? 1 : this.#push(1, 'single');
    }
    return this.#substitution(text, at);
  }

  /** Substitutions, which double quotes contain too. */
  #substitution(text: string, at: number): number {
    const character = text[at] ?? '';
    if (character === '\\') return 2;
    if (character === '`') return this.#push(1, 'backtick');
    if (text.startsWith('$((', at)) return this.#push(3, 'arithmetic', 'arithmetic');
    if (text.startsWith('$(', at)) return this.#push(2, 'code');
    if (text.startsWith('${', at)) return this.#push(2, 'brace');
    return 1;
  }

  #push(length: number, ...frames: Frame[]): number {
    this.#frames.push(...frames);
    return length;
  }
}
