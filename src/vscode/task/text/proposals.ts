/** Proposes completions and explains words at a position of a task's YAML. Independent of the editor. */
import { type Cursor, cursorAt, type Path } from './cursor.ts';
import { type Outline, outlineOf } from './taskOutline.ts';
import type { SchemaNode, TaskForm } from './taskSchema.ts';

export interface Proposal {
  readonly label: string;
  /** A snippet if `snippet` is set. */
  readonly insert: string;
  readonly snippet: boolean;
  readonly kind: 'key' | 'choice' | 'action' | 'step' | 'reference';
  readonly detail: string;
  readonly documentation: string;
}

export interface Proposals {
  readonly from: number;
  readonly to: number;
  readonly items: readonly Proposal[];
}

/** Parameters of `conditional` and `aggregate` that name steps. */
const NAMING_PARAMS = ['ifTrue', 'ifFalse', 'keys'];
const NONE: Proposals = { from: 0, to: 0, items: [] };

export function proposalsAt(text: string, line: number, column: number, form: TaskForm): Proposals {
  const cursor = cursorAt(text, line, column);
  if (cursor.kind === 'none') return NONE;
  const outline = outlineOf(text);
  const isClosed = (text.split(/\r?\n/)[line] ?? '').startsWith('}}', cursor.to);
  const items =
    cursor.kind === 'reference' ? references(outline, cursor, isClosed ? '' : '}}') : wordsAt(outline, cursor, form);
  return { from: cursor.from, to: cursor.to, items };
}

function wordsAt(outline: Outline, { path, kind, typed }: Cursor, form: TaskForm): readonly Proposal[] {
  if (namesSteps(path)) return otherSteps(outline, path);
  if (path[0] === 'steps' && path.length === 3 && path[2] === 'action') return actions(form);
  const node = nodeAt(path, outline, form);
  if (node === null) return [];
  if (kind === 'word' && node.properties !== undefined) return keys(node, path, outline, typed);
  return choices(node);
}

/** Whether a list or a value at this path contains names of steps. */
export function namesSteps([top, , field, param]: Path): boolean {
  if (top !== 'steps') return false;
  return field === 'needs' || (field === 'params' && typeof param === 'string' && NAMING_PARAMS.includes(param));
}

/** Returns null if the form does not define the path. */
export function nodeAt(
  path: Path,
  outline: Outline,
  { task, step, parameter, actions: known }: TaskForm,
): SchemaNode | null {
  const [top, at, field, ...rest] = path;
  if (top === 'steps' && typeof at === 'number') {
    const params = known.get(outline.steps[at]?.action ?? '')?.params;
    if (field === 'params') return params === undefined ? null : below(params, rest);
    return below(step, field === undefined ? [] : [field, ...rest]);
  }
  if (top === 'parameters' && at !== undefined) return below(parameter, field === undefined ? [] : [field, ...rest]);
  return below(task, path);
}

function below(node: SchemaNode, path: Path): SchemaNode | null {
  let found: SchemaNode | undefined = node;
  for (const key of path) {
    const options: readonly SchemaNode[] = found?.anyOf ?? (found === undefined ? [] : [found]);
    found = options
      .map((one) => (typeof key === 'number' ? one.items : one.properties?.[key]))
      .find((one) => one !== undefined);
  }
  return found ?? null;
}

function keys(node: SchemaNode, path: Path, outline: Outline, typed: string): Proposal[] {
  const there = outline.keysAt(path).filter((key) => key !== typed);
  return Object.entries(node.properties ?? {})
    .filter(([key]) => !there.includes(key))
    .map(([key, of]) => ({
      label: key,
      insert: `${key}:${begun(key, of)}`,
      snippet: true,
      kind: 'key',
      detail: node.required?.includes(key) ? '*' : '',
      documentation: of.description ?? '',
    }));
}

/** The start of a value, as a snippet. */
function begun(key: string, { type, enum: values, default: otherwise }: SchemaNode): string {
  if (key === 'steps') return '\n  - name: $1\n    action: $2\n    params:\n      $0';
  if (key === 'needs' || key === 'keys') return ' [$1]$0';
  if (type === 'object') return '\n  $0';
  if (type === 'boolean') return ` \${1|${otherwise === true ? 'false,true' : 'true,false'}|}`;
  return values === undefined ? ' $0' : ` \${1|${values.join(',')}|}`;
}

function choices({ enum: values, type, anyOf, description }: SchemaNode): Proposal[] {
  const found = values ?? (type === 'boolean' ? [true, false] : (anyOf ?? []).flatMap((one) => one.enum ?? []));
  return found.map((value) => ({
    label: String(value),
    insert: String(value),
    snippet: false,
    kind: 'choice',
    detail: '',
    documentation: description ?? '',
  }));
}

function actions({ actions: known }: TaskForm): Proposal[] {
  return [...known].map(([name, { description, params }]) => ({
    label: name,
    insert: name,
    snippet: false,
    kind: 'action',
    detail: '',
    // Shown as documentation, because it does not fit beside the name.
    documentation: [description, Object.keys(params.properties ?? {}).join(', ')].join('\n\n'),
  }));
}

function otherSteps({ steps }: Outline, path: Path): Proposal[] {
  const own = path[1];
  return steps.flatMap(({ name, action }, at) =>
    name === '' || at === own ? [] : [named(/[,:#[\]]/.test(name) ? JSON.stringify(name) : name, name, 'step', action)],
  );
}

/** The steps before come first. */
function references({ steps, parameters }: Outline, { path }: Cursor, closing: string): Proposal[] {
  const own = path[0] === 'steps' && typeof path[1] === 'number' ? path[1] : steps.length;
  const others = steps.flatMap(({ name, action }, at) => (at === own ? [] : [{ name, action, at }]));
  const reference = (name: string, detail: string) => named(`${name}${closing}`, name, 'reference', detail);
  const inOrder = [...others.filter(({ at }) => at < own), ...others.filter(({ at }) => at > own)];
  return [
    ...inOrder.flatMap(({ name, action }) => (name === '' ? [] : [reference(name, action)])),
    ...inOrder.map(({ action, at }) => reference(`step_${at + 1}_result`, action)),
    ...[...parameters].map(([name, said]) => reference(`params.${name}`, said)),
  ];
}

const named = (insert: string, label: string, kind: Proposal['kind'], detail: string): Proposal => ({
  label,
  insert,
  snippet: false,
  kind,
  detail,
  documentation: '',
});
