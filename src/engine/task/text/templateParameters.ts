/** Checks the parameters of a template, `{{params.x}}`, and creates a task by filling them in. */
import { pathText } from '../../../core/task/script/check.ts';
import { fillCondition } from '../../../core/task/script/conditionText.ts';
import { fillWith, Misfit, textOf, type Values } from '../../../core/task/script/fill.ts';
import { type Path, parameterOf, pieces } from '../../../core/task/script/references.ts';
import { failure } from '../../../shared/errors.ts';
import { type StepDefinition, type TaskDefinition, type TaskTemplate, taskSchema } from '../../../shared/task/tasks.ts';

type Value = string | number | boolean;
export type Parameters = Readonly<Record<string, Value>>;
type Parameter = TaskTemplate['parameters'][string];

/** Wrong in a template itself; blanks of steps are checked with them. */
export function parameterProblems(template: TaskTemplate): readonly { readonly path: Path; readonly text: string }[] {
  const defaults = Object.entries(template.parameters).flatMap(([name, parameter]) => {
    if (parameter.default === undefined || parameter.choices === undefined) return [];
    if (parameter.choices.some((choice) => choice === parameter.default)) return [];
    return [{ path: ['parameters', name, 'default'], text: 'the default is not one of the choices' }];
  });
  const texts = (['description', 'objective'] as const).flatMap((key) =>
    pieces(template[key]).flatMap((piece) => {
      const name = 'reference' in piece ? parameterOf(piece.reference) : null;
      if (name === null || Object.hasOwn(template.parameters, name)) return [];
      return [{ path: [key], text: `{{params.${name}}}: the template has no parameter ${name}` }];
    }),
  );
  return [...defaults, ...texts];
}

/** Throws INVALID_INPUT with all that is missing, unknown or not among the choices. */
export function fillTemplate(template: TaskTemplate, given: Parameters): TaskDefinition {
  const { parameters, ...task } = template;
  const values = valuesOf(parameters, given);
  const text = (field: string): string => textOf(fillWith(only(field), [], values, 'keep')['text'] ?? '');
  try {
    const steps = task.steps.map((step): StepDefinition => ({ ...step, params: filledStep(step, values) }));
    const filled = { ...task, description: text(task.description), objective: text(task.objective), steps };
    return taskSchema.parse(filled);
  } catch (thrown) {
    if (!(thrown instanceof Misfit)) throw thrown;
    throw failure('INVALID_INPUT', `the template cannot be filled in: ${thrown.message}`, { cause: thrown });
  }
}

const only = (text: string) => ({ action: '', params: { text } });

function filledStep(step: StepDefinition, values: Values): StepDefinition['params'] {
  const { condition } = step.params;
  if (step.action !== 'conditional' || typeof condition !== 'string') return fillWith(step, [], values, 'keep');
  const filled = fillWith(step, ['condition'], values, 'keep');
  return { ...filled, condition: fillCondition(condition, values) };
}

function valuesOf(parameters: TaskTemplate['parameters'], given: Parameters): Values {
  const problems: string[] = [];
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(parameters, name)) problems.push(`there is no parameter ${name}`);
  }
  const values = new Map<string, Value>();
  for (const [name, parameter] of Object.entries(parameters)) {
    const read = readValue(name, parameter, Object.hasOwn(given, name) ? given[name] : parameter.default);
    if ('problem' in read) problems.push(read.problem);
    else values.set(name, read.value);
  }
  if (problems.length > 0) {
    const names = Object.keys(parameters);
    throw failure('INVALID_INPUT', problems.join('; '), {
      hint: names.length === 0 ? 'The template has no parameters.' : `Its parameters: ${names.join(', ')}.`,
    });
  }
  return (reference) => {
    const name = parameterOf(reference);
    return name === null ? undefined : values.get(name);
  };
}

type Read = { readonly value: Value } | { readonly problem: string };

/** Its type is that of the default or the choices. A text from a terminal or a form is converted to that type. */
function readValue(name: string, { default: usual, choices }: Parameter, value: Value | undefined): Read {
  if (value === undefined) return { problem: `the parameter ${name} is missing` };
  const read = typed(name, typeof (usual ?? choices?.[0] ?? value), value);
  if ('problem' in read || choices === undefined) return read;
  if (choices.some((choice) => choice === read.value)) return read;
  return { problem: `${pathText(['params', name])} is one of ${choices.join(', ')}` };
}

function typed(name: string, type: string, value: Value): Read {
  if (typeof value === type) return { value };
  if (type === 'string') return { value: String(value) };
  if (type === 'boolean' && (value === 'true' || value === 'false')) return { value: value === 'true' };
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (type === 'number' && Number.isFinite(number)) return { value: number };
  return { problem: `${pathText(['params', name])} is a ${type}` };
}
