/** What a terminal of some width shows of what was written to it: the few sequences that the run's region uses, and nothing else. */
import { displayWidth } from '../../../src/terminal/text/width.ts';

const ESCAPE = String.fromCharCode(27);
const PART = new RegExp(String.raw`${ESCAPE}\[(\?2026[hl]|\d*[AKJm])|([\n\r])|(\P{Cc})`, 'gu');

export class ScreenEmulator {
  readonly #rows: string[] = [''];
  readonly #columns: number;
  #row = 0;
  #column = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** All rows, as they stand. */
  get text(): string {
    return this.#rows.map((row) => row.trimEnd()).join('\n');
  }

  /** Throws on a sequence or control character that it does not know. */
  write(text: string): void {
    let at = 0;
    for (const match of text.matchAll(PART)) {
      if (match.index !== at) throw new Error(`unknown output ${JSON.stringify(text.slice(at, match.index))}`);
      at += match[0].length;
      if (match[1] !== undefined) this.#sequence(match[1]);
      else if (match[2] === '\r') this.#column = 0;
      else if (match[2] === '\n') this.#newLine();
      else this.#put(match[0]);
    }
    if (at !== text.length) throw new Error(`unknown output ${JSON.stringify(text.slice(at))}`);
  }

  #sequence(sequence: string): void {
    const row = this.#rows[this.#row] ?? '';
    switch (sequence.at(-1)) {
      case 'A':
        this.#row = Math.max(0, this.#row - Number(sequence.slice(0, -1) || 1));
        return;
      case 'K':
        this.#rows[this.#row] = row.slice(0, this.#column);
        return;
      case 'J':
        this.#rows[this.#row] = row.slice(0, this.#column);
        this.#rows.length = this.#row + 1;
        return;
      default:
    }
  }

  #newLine(): void {
    this.#row++;
    this.#column = 0;
    this.#rows[this.#row] ??= '';
  }

  #put(character: string): void {
    if (this.#column + displayWidth(character) > this.#columns) this.#newLine();
    const row = (this.#rows[this.#row] ?? '').padEnd(this.#column);
    this.#rows[this.#row] = row.slice(0, this.#column) + character + row.slice(this.#column + character.length);
    this.#column += displayWidth(character);
  }
}
