/** Formats a plan as the YAML that the steward edits, and parses it, with the position of every fault. Independent of the editor. */
import { Document, isNode, isScalar } from 'yaml';
import { planFaults } from '../../../core/job/plan/planCheck.ts';
import { MOST_FAULTS, yamlDocument } from '../../../core/text/yamlDocument.ts';
import { type Plan, planSchema } from '../../../shared/job/plan.ts';

/** Lines and columns from 0. */
export interface PlanFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export type ReadPlan =
  | { readonly outcome: 'plan'; readonly plan: Plan }
  | { readonly outcome: 'faults'; readonly faults: readonly PlanFault[] };

/** After `# `, of 80 columns. */
const COMMENT_WIDTH = 78;

type Path = readonly (string | number)[];

/** `head`: a comment for the reader, without `#`. `started`: the status of started features, by id. They keep their text. */
export function planYaml(plan: Plan, head: string, started: ReadonlyMap<number, string> = new Map()): string {
  const comment = head === '' ? '' : `${wrapped(head).replaceAll(/^/gm, '# ').trimEnd()}\n\n`;
  const document = new Document(inOrder(plan));
  plan.phases.forEach((phase, p) => {
    phase.features.forEach(({ id }, f) => {
      const status = id === undefined ? undefined : started.get(id);
      const node = document.getIn(['phases', p, 'features', f, 'id'], true);
      if (status !== undefined && isScalar(node)) node.comment = ` ${status}`;
    });
  });
  return comment + document.toString({ lineWidth: 100, blockQuote: 'literal' });
}

/** Wraps the text so that a narrow window shows it in full, in any language. */
function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = `${lines.at(-1) ?? ''} ${word}`.trimStart();
    if (lines.length > 0 && line.length <= COMMENT_WIDTH) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines.join('\n');
}

/** Only the fields that hold something. */
function given(fields: Readonly<Record<string, readonly string[] | string | undefined>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? '').length > 0));
}

/** Fields in the order in which a person reads them. */
function inOrder({ title, phases, questions, setup, assumptions, findings }: Plan): unknown {
  return {
    title,
    ...given({ questions, setup, assumptions, findings }),
    phases: phases.map((phase) => ({
      ...(phase.id === undefined ? {} : { id: phase.id }),
      title: phase.title,
      objective: phase.objective,
      acceptance_criteria: phase.acceptance_criteria,
      verify_commands: phase.verify_commands,
      features: phase.features.map((feature) => ({
        ...(feature.id === undefined ? {} : { id: feature.id }),
        name: feature.name,
        category: feature.category,
        description: feature.description,
        testing_steps: feature.testing_steps,
        depends_on: feature.depends_on,
        ...given({ verify_commands: feature.verify_commands, paths: feature.paths }),
      })),
    })),
  };
}

export function readPlan(text: string): ReadPlan {
  const { document, lines } = yamlDocument(text);
  const between = (message: string, from: number, to: number): PlanFault => {
    const [start, end] = [lines.linePos(from), lines.linePos(Math.max(from, to))];
    return { message, line: start.line - 1, column: start.col - 1, endLine: end.line - 1, endColumn: end.col - 1 };
  };
  if (document.errors.length > 0) {
    return {
      outcome: 'faults',
      faults: document.errors.map(({ message, pos }) => between(firstLine(message), ...pos)),
    };
  }
  const at = (path: Path, message: string): PlanFault => between(message, ...rangeOf(document, path));
  const content = contentOf(document);
  const unknown = unknownKeys(content).slice(0, MOST_FAULTS);
  if (unknown.length > 0) {
    const message = (path: Path): string => `${path.join('.')}: a plan has no such field`;
    return { outcome: 'faults', faults: unknown.map((path) => at(path, message(path))) };
  }
  const parsed = planSchema.safeParse(content);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, MOST_FAULTS);
    const faults = issues.map(({ path, message }) => at(path.map(keyOf), `${path.join('.')}: ${message}`));
    return { outcome: 'faults', faults };
  }
  const faults = planFaults(parsed.data)
    .slice(0, MOST_FAULTS)
    .map((message) => at(placeOf(parsed.data, message), message));
  return faults.length > 0 ? { outcome: 'faults', faults } : { outcome: 'plan', plan: parsed.data };
}

/** Returns null if aliases make the document too large. */
function contentOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 50 });
  } catch {
    // too many aliases: the schema rejects null
    return null;
  }
}

const PHASE = planSchema.shape.phases.element;
const FEATURE = PHASE.shape.features.element;

/** Keys that the schema does not know, for example misspelled ones. Parsing alone would ignore them. */
function unknownKeys(content: unknown): Path[] {
  const extra = (value: unknown, shape: object, path: Path): Path[] =>
    typeof value === 'object' && value !== null
      ? Object.keys(value)
          .filter((key) => !Object.hasOwn(shape, key))
          .map((key) => [...path, key])
      : [];
  const list = (value: unknown, key: string): readonly unknown[] => {
    const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
    return Array.isArray(found) ? found : [];
  };
  if (Array.isArray(content)) return [];
  return [
    ...extra(content, planSchema.shape, []),
    ...list(content, 'phases').flatMap((phase, p) => [
      ...extra(phase, PHASE.shape, ['phases', p]),
      ...list(phase, 'features').flatMap((one, f) => extra(one, FEATURE.shape, ['phases', p, 'features', f])),
    ]),
  ];
}

function keyOf(key: PropertyKey): string | number {
  return typeof key === 'number' ? key : String(key);
}

/** The range of the deepest existing part of the path. */
function rangeOf(document: Document, path: Path): [number, number] {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (!isNode(node) || !node.range) continue;
    const [from, to] = node.range;
    // A whole block would underline half the document: its beginning is enough.
    return [from, isScalar(node) ? to : from + 1];
  }
  return [0, 1];
}

/** The path of the feature or phase that a fault names first. If several have that name, the last one, since the repetition is wrong. */
function placeOf(plan: Plan, message: string): Path {
  const name = /"([^"]+)"/.exec(message)?.[1];
  let place: Path = ['title'];
  plan.phases.forEach((phase, p) => {
    if (phase.title === name) place = ['phases', p, 'title'];
    phase.features.forEach((feature, f) => {
      if (feature.name === name) place = ['phases', p, 'features', f, 'name'];
    });
  });
  return place;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
