/**
 * Conditions over earlier results, in CEL. Results are variables of the expression, never pasted into it: `{{Step name.total}}`,
 * `step_1_result`, `results["Step name"]`. Nothing in it loops, nothing calls a regular expression, and it must say true or false.
 */
import { type ASTNode, Environment, EvaluationError, ParseError, TypeError as TypeFault } from '@marcbachmann/cel-js';
import type { Json } from '../../shared/tasks.ts';
import { textOf } from './fill.ts';
import { CONDITION_CHARACTERS, FILLED_CHARACTERS } from './params.ts';
import { pieces, type Resolved, resolveReference, type StepNames, type Target, valueAt } from './references.ts';

export type Decision = { readonly ok: true; readonly value: boolean } | { readonly ok: false; readonly error: string };

export interface ReadCondition {
  /** What it uses: steps and paths, by the names of the variables. */
  readonly targets: ReadonlyMap<string, Target>;
  /** Names of steps that it asks `results` for. */
  readonly named: ReadonlyMap<string, number>;
  readonly source: string;
}

const LIMITS = { maxAstNodes: 200, maxDepth: 32, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 };
/** Neither loops nor regular expressions nor what makes long text of short. */
const CALLS: ReadonlySet<string> = new Set([
  ...['size', 'has', 'string', 'int', 'double', 'bool', 'type', 'dyn'],
  ...['contains', 'startsWith', 'endsWith', 'indexOf', 'lowerAscii', 'upperAscii', 'trim'],
]);
/** Types and literals are no variables. */
const WORDS: ReadonlySet<string> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
]);
const BY_NUMBER = /^step_\d+_result$/;

/** JSON knows one kind of number: 3 and 3.0 are the same in it, so they add up in a condition. */
const environment = (() => {
  const made = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false, limits: LIMITS });
  const operators: Readonly<Record<string, (left: number, right: number) => number>> = {
    '+': (left, right) => left + right,
    '-': (left, right) => left - right,
    '*': (left, right) => left * right,
    '/': (left, right) => left / right,
    '%': (left, right) => left % right,
  };
  for (const [sign, work] of Object.entries(operators)) {
    const mixed = (left: unknown, right: unknown): number => work(Number(left), Number(right));
    made.registerOperator(`double ${sign} int`, mixed);
    made.registerOperator(`int ${sign} double`, mixed);
  }
  made.registerOperator('double % double', (left: number, right: number) => left % right);
  return made;
})();

/** The condition and what it uses, or why it cannot be one. */
export function readCondition(text: string, names: StepNames): ReadCondition | { readonly problem: string } {
  if (text.length > CONDITION_CHARACTERS) {
    return { problem: `a condition has at most ${CONDITION_CHARACTERS} characters` };
  }
  const written = variablesFor(text, names);
  if ('problem' in written) return written;
  const { source, targets } = written;
  try {
    const { ast } = environment.parse(source);
    return usesOf(ast, source, targets, names);
  } catch (thrown) {
    return { problem: `it cannot be read: ${faultOf(thrown)}` };
  }
}

/** `resultOf`: what a step gave, null for one that gave nothing. */
export function decide(condition: ReadCondition, resultOf: (position: number) => Json): Decision {
  const { source, targets, named } = condition;
  const variables: Record<string, Json> = {};
  for (const [variable, { position, path }] of targets) {
    const whole = resultOf(position);
    const value = whole === null ? null : valueAt(whole, path);
    if (value === undefined) return { ok: false, error: `the result of step ${position + 1} has no ${path.join('.')}` };
    variables[variable] = value;
  }
  const results: Record<string, Json> = {};
  for (const [name, position] of named) results[name] = resultOf(position);
  for (const value of [...Object.values(variables), ...Object.values(results)]) {
    if (JSON.stringify(value).length > FILLED_CHARACTERS) {
      return { ok: false, error: 'a result is too long for a condition: name the part of it that counts' };
    }
  }
  try {
    return answer(environment.evaluate(source, { ...variables, results }));
  } catch (thrown) {
    return { ok: false, error: `the condition cannot be decided: ${faultOf(thrown)}` };
  }
}

function answer(value: unknown): Decision {
  if (typeof value === 'boolean') return { ok: true, value };
  if (value === 'true' || value === 'false') return { ok: true, value: value === 'true' };
  return { ok: false, error: 'the condition says neither true nor false' };
}

/** A fault of the library's own in its own words; anything else, as a text that grew too long, by its message. */
function faultOf(thrown: unknown): string {
  if (thrown instanceof ParseError || thrown instanceof EvaluationError || thrown instanceof TypeFault) {
    return thrown.summary;
  }
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** References in braces become variables; one in quotes of its own is meant as the value too. */
function variablesFor(
  text: string,
  names: StepNames,
): { source: string; targets: Map<string, Target> } | { readonly problem: string } {
  const targets = new Map<string, Target>();
  let source = '';
  for (const token of tokens(text)) {
    const inner = token.isQuoted ? token.text.slice(1, -1) : token.text;
    const parts = pieces(inner);
    const references = parts.filter((piece) => 'reference' in piece);
    if (references.length === 0) {
      source += token.text;
      continue;
    }
    if (token.isQuoted && parts.length > 1) {
      return { problem: 'a reference within a longer quoted text is not filled in: put it outside of the quotes' };
    }
    for (const piece of parts) {
      if ('text' in piece) source += piece.text;
      else {
        const target: Resolved = resolveReference(piece.reference, names);
        if ('problem' in target) return target;
        const variable = `reference_${targets.size + 1}`;
        targets.set(variable, target);
        source += ` ${variable} `;
      }
    }
  }
  return { source, targets };
}

/** A condition with the values of a template's blanks as literals; what has no value stays as it is written. */
export function fillCondition(text: string, values: (reference: string) => Json | undefined): string {
  let filled = '';
  for (const token of tokens(text)) {
    filled += token.text.replace(/\{\{([^{}]*)\}\}/g, (whole, reference: string) => {
      const value = values(reference.trim());
      if (value === undefined) return whole;
      return token.isQuoted ? literalOf(textOf(value)).slice(1, -1) : literalOf(value);
    });
  }
  return filled;
}

/** With no brace and no quote that would be more than text. */
function literalOf(value: Json): string {
  if (typeof value !== 'string') return typeof value === 'number' ? `(${value})` : JSON.stringify(value);
  return JSON.stringify(value).replaceAll('{', '\\u007b').replaceAll("'", "\\'");
}

/** Quoted literals, and what is between them. */
function* tokens(text: string): Generator<{ readonly text: string; readonly isQuoted: boolean }> {
  const literal = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs;
  let from = 0;
  for (const match of text.matchAll(literal)) {
    if (match.index > from) yield { text: text.slice(from, match.index), isQuoted: false };
    yield { text: match[0], isQuoted: true };
    from = match.index + match[0].length;
  }
  if (from < text.length) yield { text: text.slice(from), isQuoted: false };
}

function usesOf(
  ast: ASTNode,
  source: string,
  braced: ReadonlyMap<string, Target>,
  names: StepNames,
): ReadCondition | { readonly problem: string } {
  const targets = new Map(braced);
  const named = new Map<string, number>();
  const open: ASTNode[] = [ast];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const problem = useOf(node, { targets, named, names });
    if (problem !== null) return { problem };
    open.push(...childrenOf(node));
  }
  return { source, targets, named };
}

interface Uses {
  readonly targets: Map<string, Target>;
  readonly named: Map<string, number>;
  readonly names: StepNames;
}

function useOf(node: ASTNode, { targets, named, names }: Uses): string | null {
  if (node.op === 'call' || node.op === 'rcall') {
    const [call] = node.args;
    return CALLS.has(call) ? null : `${call}() is not known here; there are ${[...CALLS].join(', ')}`;
  }
  if (node.op === '[]' && isResults(node.args[0])) {
    const [, key] = node.args;
    const name = key.op === 'value' && typeof key.args === 'string' ? key.args : null;
    const position = name === null ? undefined : names.positions.get(name);
    if (name === null || position === undefined) {
      return 'results takes the name of a step, as in results["Step name"]';
    }
    named.set(name, position);
    return null;
  }
  if (node.op !== 'id' || targets.has(node.args) || WORDS.has(node.args)) return null;
  if (BY_NUMBER.test(node.args)) {
    const target = resolveReference(node.args, names);
    if ('problem' in target) return target.problem;
    targets.set(node.args, target);
    return null;
  }
  return `nothing is called ${node.args} here; a step's result is {{Step name}} or step_1_result`;
}

const isResults = (node: ASTNode): boolean => node.op === 'id' && node.args === 'results';

/** What a node is made of; the name `results` itself is no variable to look up. */
function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    case '[]':
      return isResults(node.args[0]) ? [] : node.args;
    default:
      return node.args;
  }
}
