/**
 * Turns a formula into a tree. From loose to tight:
 *
 *   sum     = product, then any number of "+ product" or "- product"
 *   product = power, then any number of "* power" or "/ power"
 *   power   = unary, perhaps followed by "^ power"
 *   unary   = "- unary", or an operand
 *   operand = number, text, cell, range, call, or "( sum )"
 */
import { tokenize } from './tokens.js';

/** Throws a SyntaxError when the text is no formula. */
export function parse(formula) {
  const parser = new Parser(tokenize(formula));
  const tree = parser.sum();
  parser.expectEnd();
  return tree;
}

class Parser {
  #tokens;
  #next = 0;

  constructor(tokens) {
    this.#tokens = tokens;
  }

  sum() {
    return this.#chain(['+', '-'], () => this.product());
  }

  product() {
    return this.#chain(['*', '/'], () => this.power());
  }

  // Powers group from the right: 2^3^2 is 2^(3^2).
  power() {
    const left = this.unary();
    if (!this.#take('^')) return left;
    return { type: 'binary', operator: '^', left, right: this.power() };
  }

  unary() {
    if (this.#take('-')) return { type: 'negate', operand: this.unary() };
    return this.operand();
  }

  operand() {
    const token = this.#tokens[this.#next++];
    if (token === undefined) throw new SyntaxError('the formula ends too early');
    if (token.type === 'number') return { type: 'number', value: Number(token.text) };
    if (token.type === 'text') return { type: 'text', value: token.text.slice(1, -1) };
    if (token.type === 'cell') return this.#cellOrRange(token.text.toUpperCase());
    if (token.type === 'name') return this.#call(token.text.toUpperCase());
    if (token.text !== '(') throw new SyntaxError('unexpected ' + token.text);
    const inner = this.sum();
    this.#expect(')');
    return inner;
  }

  expectEnd() {
    const token = this.#tokens[this.#next];
    if (token !== undefined) throw new SyntaxError('unexpected ' + token.text);
  }

  // One operand, then perhaps an operator and the rest of the chain.
  #chain(operators, operand) {
    const left = operand();
    const operator = this.#take(...operators);
    if (!operator) return left;
    return { type: 'binary', operator, left, right: this.#chain(operators, operand) };
  }

  #cellOrRange(from) {
    if (!this.#take(':')) return { type: 'cell', name: from };
    const to = this.#tokens[this.#next++];
    if (to?.type !== 'cell') throw new SyntaxError('a range ends with a cell, like A1:B3');
    return { type: 'range', from, to: to.text.toUpperCase() };
  }

  #call(name) {
    this.#expect('(');
    const inputs = [];
    if (this.#take(')')) return { type: 'call', name, inputs };
    do inputs.push(this.sum());
    while (this.#take(','));
    this.#expect(')');
    return { type: 'call', name, inputs };
  }

  /** Moves on and returns the symbol, when the next token is one of these. */
  #take(...symbols) {
    const token = this.#tokens[this.#next];
    if (token?.type !== 'symbol' || !symbols.includes(token.text)) return undefined;
    this.#next++;
    return token.text;
  }

  #expect(symbol) {
    if (!this.#take(symbol)) throw new SyntaxError('expected ' + symbol);
  }
}
