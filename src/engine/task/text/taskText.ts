/** Tasks and templates as YAML: one format to write, to keep, and to share. */
import { Document, visit } from 'yaml';
import { problemsOf } from '../../../core/task/script/check.ts';
import { MOST_FAULTS } from '../../../core/text/yamlDocument.ts';
import {
  type StepDefinition,
  stepSchema,
  type TaskDefinition,
  type TaskTemplate,
  taskSchema,
  templateSchema,
} from '../../../shared/task/tasks.ts';
import type { ReadTask, TextFault } from '../../../shared/task/taskText.ts';
import { type Path, readYaml } from './taskYaml.ts';
import { parameterProblems } from './templateParameters.ts';

/** All faults of a text, each with its position. `actions` lists the available custom actions. Null to accept any. */
export function readTaskText(text: string, nowMs: number, actions: readonly string[] | null): ReadTask {
  try {
    const { task, faults } = read(text, nowMs, actions);
    return { task, faults: faults.toSorted((a, b) => a.line - b.line || a.column - b.column) };
  } catch (thrown) {
    // The nesting is deeper than the stack.
    if (!(thrown instanceof RangeError)) throw thrown;
    const message = 'the text is nested too deeply';
    return { task: null, faults: [{ line: 0, column: 0, endLine: 0, endColumn: 0, message }] };
  }
}

function read(text: string, nowMs: number, actions: readonly string[] | null): ReadTask {
  const yaml = readYaml(text);
  if (yaml.faults.length > 0) return { task: null, faults: yaml.faults };
  const at = (path: Path, message: string): TextFault => ({ ...yaml.spanOf(path), message });
  const parsed = templateSchema.safeParse(yaml.value ?? {});
  if (!parsed.success) {
    const faults = parsed.error.issues.slice(0, MOST_FAULTS).flatMap((issue): readonly TextFault[] => {
      const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
      if (issue.code !== 'unrecognized_keys') return [at(path, named(path, issue.message))];
      return issue.keys.slice(0, MOST_FAULTS).map((key) => {
        return { ...yaml.spanOf([...path, key], 'key'), message: `there is no "${key}" here` };
      });
    });
    return { task: null, faults };
  }
  const task = parsed.data;
  const parameters = Object.keys(task.parameters);
  const problems = problemsOf(task.steps, { nowMs, actions, parameters })
    .slice(0, MOST_FAULTS)
    .map((problem) => at(problem.step === null ? ['steps'] : ['steps', problem.step, ...problem.path], problem.text));
  return { task, faults: [...parameterProblems(task).map(({ path, text: said }) => at(path, said)), ...problems] };
}

/** A validation message rarely names its key: prepend the key. */
function named(path: Path, message: string): string {
  const key = path.findLast((part) => typeof part === 'string');
  if (key === undefined) return message;
  return message.endsWith('received undefined') ? `${key} is missing` : `${key}: ${message}`;
}

/** Omits default values, and keeps the order of the form. */
export function writeTaskText(definition: TaskDefinition | TaskTemplate): string {
  const { steps, ...task } = definition;
  const parameters = 'parameters' in definition ? definition.parameters : {};
  const plain = {
    ...unlike(task, TASK_DEFAULTS),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    steps: steps.map((step) => unlike(step, STEP_DEFAULTS)),
  };
  const document = new Document(plain, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && /\s/.test(scalar.value) && !isPlainBlock(scalar.value)) {
        scalar.type = 'QUOTE_DOUBLE';
      }
    },
  });
  return document.toString({ lineWidth: 0, blockQuote: 'literal' });
}

/**
 * One line, or lines that can be written as a block unchanged: none of blanks alone, and none with invisible characters at its
 * start or end.
 */
function isPlainBlock(text: string): boolean {
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    lines.every((line, index) => line === '' || (index > 0 ? /^ *\S(?:.*\S)?$/ : /^\S(?:.*\S)?$/).test(line)) &&
    lines[0] !== ''
  );
}

const { name: _task, steps: _steps, ...TASK_DEFAULTS } = taskSchema.parse({ name: 'x' });
const { name: _step, action: _action, ...STEP_DEFAULTS } = stepSchema.parse({ name: 'x', action: 'wait' });

function unlike(value: Omit<TaskDefinition, 'steps'> | StepDefinition, defaults: object): Record<string, unknown> {
  const usual = new Map<string, unknown>(Object.entries(defaults));
  const entries = Object.entries(value).filter(
    ([key, field]) =>
      field !== undefined && key !== 'parameters' && JSON.stringify(field) !== JSON.stringify(usual.get(key)),
  );
  return Object.fromEntries(entries);
}
