/** Splits text that arrives in pieces into lines. Each character is read once, however small the pieces are. */
export class Lines {
  #open: string[] = [];
  #length = 0;

  /** The lines that end in this piece, without their ends. */
  push(piece: string): string[] {
    const lines = piece.split('\n');
    const rest = lines.pop() ?? '';
    if (lines.length > 0) lines[0] = this.take() + lines[0];
    this.#open.push(rest);
    this.#length += rest.length;
    return lines;
  }

  /** Characters of the line that has not ended. */
  get length(): number {
    return this.#length;
  }

  /** Returns the line that has not ended, and starts an empty one. */
  take(): string {
    const line = this.#open.join('');
    this.#open = [];
    this.#length = 0;
    return line;
  }
}
