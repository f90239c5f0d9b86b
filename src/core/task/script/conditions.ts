/**
 * Conditions over earlier results, in CEL. Results are variables of the expression, never inserted into it: `{{Step name.total}}`, `step_1_result`,
 * `results["Step name"]`. No loops and no regular expressions; the result must be true or false.
 */
import { type ASTNode, Environment, EvaluationError, ParseError, TypeError as TypeFault } from '@marcbachmann/cel-js';
import type { Json } from '../../../shared/task/tasks.ts';
import { variablesFor } from './conditionText.ts';
import { textOf } from './fill.ts';
import { CONDITION_CHARACTERS } from './params.ts';
import { parsedOnce, resolveReference, type StepNames, type Target, valueAt } from './references.ts';

export type Decision = { readonly ok: true; readonly value: boolean } | { readonly ok: false; readonly error: string };

export interface ReadCondition {
  /** The steps and paths that it uses, by the names of the variables. */
  readonly targets: ReadonlyMap<string, Target>;
  /** Variables that it searches for in texts. */
  readonly sought: ReadonlySet<string>;
  /** Names of steps that it asks `results` for. */
  readonly named: ReadonlyMap<string, number>;
  readonly source: string;
}

/** Limits of a result, and of one that is searched for in another, in characters: a search may take as long as their product. */
const MOST_VALUE = 256 * 1024;
const MOST_SOUGHT = 500;
const SEARCHES: ReadonlySet<string> = new Set(['contains', 'indexOf']);
const LIMITS = { maxAstNodes: 200, maxDepth: 32, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 };
/** No function that loops, uses regular expressions, or makes long text from short. */
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

/** Returns the parsed condition and its references, or why it is invalid. */
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

/** `resultOf`: the result of a step, or null if it has none. */
export function decide(condition: ReadCondition, resultOf: (position: number) => Json): Decision {
  const { source, targets, named, sought } = condition;
  const variables: Record<string, Json> = {};
  const read = parsedOnce();
  for (const [variable, { position, path }] of targets) {
    const whole = resultOf(position);
    const value = whole === null ? null : valueAt(whole, path, read);
    if (value === undefined) return { ok: false, error: `the result of step ${position + 1} has no ${path.join('.')}` };
    variables[variable] = value;
  }
  const results: Record<string, Json> = {};
  for (const [name, position] of named) results[name] = resultOf(position);
  for (const value of [...Object.values(variables), ...Object.values(results)]) {
    if (JSON.stringify(value).length > MOST_VALUE) {
      return {
        ok: false,
        error: 'a result is too long for a condition: name the part of it that counts, as {{Step.part}}',
      };
    }
  }
  for (const variable of sought) {
    if (textOf(variables[variable] ?? null).length > MOST_SOUGHT) {
      return { ok: false, error: `what is looked for in a text has at most ${MOST_SOUGHT} characters` };
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
  return { ok: false, error: 'the condition is neither true nor false' };
}

/** A fault of the library's own in its own words; anything else, as a text that grew too long, by its message. */
function faultOf(thrown: unknown): string {
  if (thrown instanceof ParseError || thrown instanceof EvaluationError || thrown instanceof TypeFault) {
    return thrown.summary;
  }
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function usesOf(
  ast: ASTNode,
  source: string,
  braced: ReadonlyMap<string, Target>,
  names: StepNames,
): ReadCondition | { readonly problem: string } {
  const targets = new Map(braced);
  const named = new Map<string, number>();
  const sought = new Set<string>();
  const open: ASTNode[] = [ast];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const problem = useOf(node, { targets, named, sought, names });
    if (problem !== null) return { problem };
    open.push(...childrenOf(node));
  }
  return { source, targets, named, sought };
}

interface Uses {
  readonly targets: Map<string, Target>;
  readonly named: Map<string, number>;
  readonly sought: Set<string>;
  readonly names: StepNames;
}

function useOf(node: ASTNode, { targets, named, sought, names }: Uses): string | null {
  if (node.op === 'call' || node.op === 'rcall') {
    const [call] = node.args;
    if (!CALLS.has(call)) return `${call}() is not known here; there are ${[...CALLS].join(', ')}`;
    return node.op === 'rcall' && SEARCHES.has(call) ? searchProblem(node.args, sought) : null;
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

/** The searched value must be a plain result and the search text short: neither may be computed in the call. */
function searchProblem(
  [call, within, [what]]: readonly [string, ASTNode, ASTNode[]],
  sought: Set<string>,
): string | null {
  if (isPutTogether(within)) return `${call}() looks into one text, not into several put together`;
  if (what?.op === 'id') sought.add(what.args);
  else if (what?.op !== 'value') return `${call}() looks for a quoted text or for a {{reference}}`;
  return null;
}

function isPutTogether(ast: ASTNode): boolean {
  const open = [ast];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.op === '+') return true;
    open.push(...childrenOf(node));
  }
  return false;
}

const isResults = (node: ASTNode): boolean => node.op === 'id' && node.args === 'results';

/** The children of a node. The name `results` itself is not a variable. */
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
