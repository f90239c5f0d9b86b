/** The demo's feature "Parser": the first attempt groups 8-3-2 the wrong way round, and its own test says so. */
import type { FeatureInput } from '../../scenario.ts';
import { bash, note, read, report, write } from './calls.ts';

const LEFT_TO_RIGHT = `  // 8 - 3 - 2 is (8 - 3) - 2: what was read so far becomes the left side of what follows.
  #leftToRight(operators, operand) {
    let left = operand();
    for (let operator = this.#take(...operators); operator; operator = this.#take(...operators)) {
      left = { type: 'binary', operator, left, right: operand() };
    }
    return left;
  }
`;

/** Plausible, short, and wrong: the recursion makes the right side the deeper one. */
const RIGHT_TO_LEFT = `  // One operand, then perhaps an operator and the rest of the chain.
  #chain(operators, operand) {
    const left = operand();
    const operator = this.#take(...operators);
    if (!operator) return left;
    return { type: 'binary', operator, left, right: this.#chain(operators, operand) };
  }
`;

const PARSER = `/**
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
    return this.#leftToRight(['+', '-'], () => this.product());
  }

  product() {
    return this.#leftToRight(['*', '/'], () => this.power());
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

  // 8 - 3 - 2 is (8 - 3) - 2: what was read so far becomes the left side of what follows.
  #leftToRight(operators, operand) {
    let left = operand();
    for (let operator = this.#take(...operators); operator; operator = this.#take(...operators)) {
      left = { type: 'binary', operator, left, right: operand() };
    }
    return left;
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
`;

const FIRST_PARSER = PARSER.replace(LEFT_TO_RIGHT, RIGHT_TO_LEFT).replaceAll('#leftToRight', '#chain');

const TESTS = String.raw`import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../src/parser.js';

/** The tree with every grouping written out. */
function show(tree) {
  switch (tree.type) {
    case 'binary':
      return '(' + show(tree.left) + tree.operator + show(tree.right) + ')';
    case 'negate':
      return '-' + show(tree.operand);
    case 'call':
      return tree.name + '(' + tree.inputs.map(show).join(',') + ')';
    case 'range':
      return tree.from + ':' + tree.to;
    case 'cell':
      return tree.name;
    default:
      return String(tree.value);
  }
}

const groups = (formula) => show(parse(formula));

test('products bind tighter than sums, parentheses tighter than both', () => {
  assert.equal(groups('1+2*3'), '(1+(2*3))');
  assert.equal(groups('(1+2)*3'), '((1+2)*3)');
});

test('subtraction and division group from the left', () => {
  assert.equal(groups('8-3-2'), '((8-3)-2)');
  assert.equal(groups('100/10/5'), '((100/10)/5)');
});

test('powers group from the right', () => {
  assert.equal(groups('2^3^2'), '(2^(3^2))');
});

test('cells, ranges and calls, in capitals', () => {
  assert.equal(groups('sum(a1:b2, c3, -1)'), 'SUM(A1:B2,C3,-1)');
});

test('mistakes are named', () => {
  assert.throws(() => parse('1+'), /ends too early/);
  assert.throws(() => parse('(1'), /expected \)/);
  assert.throws(() => parse('1 2'), /unexpected 2/);
  assert.throws(() => parse('A1:3'), /a range ends with a cell/);
});
`;

const ANCHOR = 'what was read so far becomes the left side';

export const parser: FeatureInput = {
  attempts: [
    {
      turns: [
        { text: 'The parser builds on the tokens, so I read them first.', calls: [read('src/tokens.js')] },
        {
          text: 'One method per level of precedence. The tests show each tree with its grouping written out.',
          calls: [write('src/parser.js', FIRST_PARSER), write('test/parser.test.js', TESTS)],
        },
        { text: '', calls: [report('parse() turns a formula into a tree with the usual precedence.')] },
      ],
    },
    {
      turns: [
        {
          text: 'The verify command failed: 8-3-2 was grouped as 8-(3-2). Recursion on the right side groups from the right.',
          calls: [{ tool: 'notes' }],
        },
        {
          text: 'Sums and products need a loop: what was read so far becomes the left side of what follows.',
          calls: [write('src/parser.js', PARSER), write('test/parser.test.js', TESTS)],
        },
        { text: 'This time I run the tests before I report.', calls: [bash('node --test')] },
        {
          text: '',
          calls: [
            note(
              'feature',
              'Sums and products group from the left with a loop, powers from the right by recursion. Keep both tests.',
              {
                file: 'src/parser.js',
                line: PARSER.slice(0, PARSER.indexOf(ANCHOR)).split('\n').length,
              },
            ),
          ],
        },
        { text: '', calls: [report('Fixed: chains of - and / group from the left now. All tests pass.')] },
      ],
    },
  ],
};
