/** Why a cell has no value. The code is what the cell shows, like #DIV/0!; the message says more. */
export class CellError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}
