/** Explains a word of a task's YAML: a key, an action, the name of a step. Independent of the editor. */
import { cursorAt } from './cursor.ts';
import { namesSteps, nodeAt } from './proposals.ts';
import { outlineOf } from './taskOutline.ts';
import type { TaskForm } from './taskSchema.ts';

export interface Meaning {
  readonly title: string;
  readonly text: string;
  /** Parameters of an action. */
  readonly params: readonly (readonly [name: string, text: string])[];
}

const plain = (title: string, text: string): Meaning => ({ title, text, params: [] });

/** Returns null if nothing is known about the word. */
export function meaningAt(text: string, line: number, column: number, form: TaskForm): Meaning | null {
  const whole = text.split(/\r?\n/)[line] ?? '';
  const outline = outlineOf(text);
  const key = /^(\s*(?:-\s+)?)([A-Za-z]\w*)\s*:(?:\s+(.*))?$/.exec(whole);
  if (key !== null) {
    const [, before = '', name = ''] = key;
    if (column >= before.length && column <= before.length + name.length) {
      const { path, kind } = cursorAt(text, line, before.length + name.length);
      const node = kind === 'word' ? nodeAt([...path, name], outline, form) : null;
      return node?.description === undefined ? null : plain(name, node.description);
    }
  }
  const end = wordEnd(whole, column);
  const cursor = cursorAt(text, line, end);
  const step = (name: string): Meaning | null => {
    const at = /^step_(\d+)_result/.exec(name)?.[1];
    const index = at === undefined ? outline.steps.findIndex((one) => one.name === name) : Number(at) - 1;
    const found = outline.steps[index];
    if (found === undefined) return null;
    const known = form.actions.get(found.action);
    return plain(
      `${index + 1}. ${found.name}`,
      `${found.action}${known === undefined ? '' : `: ${known.description}`}`,
    );
  };
  if (cursor.kind === 'reference') {
    const params = /^params\.(\w+)/.exec(cursor.typed.trim())?.[1];
    if (params === undefined)
      return step(
        referenced(
          cursor.typed,
          outline.steps.map(({ name }) => name),
        ),
      );
    const described = outline.parameters.get(params);
    return described === undefined ? null : plain(`params.${params}`, described);
  }
  if (namesSteps(cursor.path)) return step(cursor.typed.replaceAll(/["']/g, '').trim());
  if (cursor.path.at(-1) !== 'action' || cursor.path[0] !== 'steps') return null;
  const action = form.actions.get(cursor.typed.replaceAll(/["']/g, '').trim());
  if (action === undefined) return null;
  const params = Object.entries(action.params.properties ?? {}).map(
    ([name, of]) => [name, of.description ?? ''] as const,
  );
  return { title: cursor.typed.trim(), text: action.description, params };
}

/** The end of a value, or of the reference around the column. */
function wordEnd(line: string, column: number): number {
  const braces = line.indexOf('}}', column);
  const open = line.lastIndexOf('{{', column);
  if (open >= 0 && braces >= 0 && !line.slice(open, column).includes('}}')) return braces;
  const stop = /[,\]#]/.exec(line.slice(column))?.index;
  return stop === undefined ? line.trimEnd().length : column + stop;
}

/** The longest name that is a prefix of the reference's path. */
function referenced(text: string, names: readonly string[]): string {
  const whole = text.trim();
  const fits = names.filter((name) => name !== '' && whole.startsWith(name));
  return fits.sort((a, b) => b.length - a.length)[0] ?? whole;
}
