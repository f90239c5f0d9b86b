/** Help while a task is written: what is proposed at a place, and what a word means. `‸` is where the cursor stands. */
import { describe, expect, it } from 'vitest';
import { cursorAt } from '../../../../../src/vscode/task/text/cursor.ts';
import { meaningAt } from '../../../../../src/vscode/task/text/meaning.ts';
import { proposalsAt } from '../../../../../src/vscode/task/text/proposals.ts';
import { taskForm } from '../../../../../src/vscode/task/text/taskSchema.ts';

const CUSTOM = { name: 'acme.tools/translate', description: 'Translates.', params: { properties: { to: {} } } };
const form = taskForm({ t: String }, [CUSTOM]);

function marked(text: string) {
  const before = text.slice(0, text.indexOf('‸')).split('\n');
  return [text.replace('‸', ''), before.length - 1, before.at(-1)?.length ?? 0] as const;
}

function proposed(text: string): readonly string[] {
  return proposalsAt(...marked(text), form).items.map(({ label }) => label);
}

/** The line of the cursor once a proposal was taken, without the places of its snippet. */
function taken(text: string, label: string): string {
  const [plain, line, column] = marked(text);
  const { from, to, items } = proposalsAt(plain, line, column, form);
  const whole = plain.split('\n')[line] ?? '';
  const item = items.find((one) => one.label === label);
  return `${whole.slice(0, from)}${item?.insert}${whole.slice(to)}`.replaceAll(/\$\d/g, '');
}

const meaning = (text: string) => meaningAt(...marked(text), form);

const TASK = `name: Market Research
parameters:
  topic:
    description: What it is about
steps:
  - name: Identify Competitors
    action: llm_generate
    params:
      prompt: List companies
  - name: "Gather: Details"
    action: llm_generate
    params:
      prompt: |
        For each: {{HERE
        and more
    needs:
      - NEED
  - name: Decide
    action: conditional
    params:
      condition: size({{step_1_result}}) > 3
      ifTrue: [Identify Competitors, THEN]
`;

const at = (word: string, typed = ''): string => TASK.replace(word, `${typed}‸`).replaceAll(/HERE‸NEED‸THEN/g, '');

describe('where the cursor stands', () => {
  it.each([
    ['a‸', 'word', []],
    ['name: x‸', 'value', ['name']],
    ['steps:\n  - n‸', 'word', ['steps', 0]],
    ['steps:\n- name: a\n- act‸', 'word', ['steps', 1]],
    ['steps:\n- name: a\n  action: w‸', 'value', ['steps', 0, 'action']],
    ['steps:\n  - name: a\n    needs: [b, c‸', 'value', ['steps', 0, 'needs', 1]],
    ['steps:\n  - name: a\n    needs:\n      - b\n      - ‸', 'word', ['steps', 0, 'needs', 1]],
    ['steps:\n  - name: a\n    params:\n      prompt: |\n        tex‸', 'none', []],
    ['# na‸', 'none', []],
  ] as const)('%j is %s', (text, kind, path) => {
    const last = text.lastIndexOf('‸');
    const lines = text.slice(0, last).split('\n');
    const found = cursorAt(text.slice(0, last), lines.length - 1, lines.at(-1)?.length ?? 0);
    expect({ kind: found.kind, path: found.path }).toEqual({ kind, path });
  });

  it('is never lost, wherever it stands in whatever is typed', () => {
    const hostile = `${TASK}\n- - : [ {{ }} "\n\t\n  ? a\n: b\n${'  '.repeat(50)}- x`;
    for (const [line, text] of hostile.split('\n').entries()) {
      for (let column = 0; column <= text.length; column++) {
        const { from, to } = cursorAt(hostile, line, column);
        expect(from).toBeLessThanOrEqual(to);
        // Each reads the whole text anew.
        if (column % 5 > 0 && column < text.length) continue;
        expect(proposalsAt(hostile, line, column, form).from).toBeLessThanOrEqual(column);
        meaningAt(hostile, line, column, form);
      }
    }
  });
});

describe('what is proposed', () => {
  it('keys of the task and of a step that are not there yet', () => {
    expect(proposed('na‸')).toEqual(expect.arrayContaining(['name', 'steps', 'completionBehavior', 'parameters']));
    const step = proposed('steps:\n  - name: a\n    ‸');
    expect(step).toEqual(expect.arrayContaining(['action', 'params', 'needs', 'isCheckpoint']));
    expect(step).not.toContain('name');
  });

  it('the parameters of the action of the step, also of another extension', () => {
    expect(proposed('steps:\n  - name: a\n    action: wait\n    params:\n      ‸')).toEqual(['minutes', 'until']);
    const custom = 'steps:\n  - name: a\n    action: acme.tools/translate\n    params:\n      ‸';
    expect(proposed(custom)).toEqual(['to']);
  });

  it('actions, choices and yes or no', () => {
    expect(proposed('steps:\n  - action: ‸')).toEqual(expect.arrayContaining(['llm_generate', 'acme.tools/translate']));
    expect(taken('steps:\n  - action: llm_gen‸rate', 'llm_generate')).toBe('  - action: llm_generate');
    expect(proposed('completionBehavior: ‸')).toEqual(['SILENT', 'NOTIFY_USER', 'NOTIFY_AND_SUMMARIZE']);
    expect(proposed('notifyOnProgress: ‸')).toEqual(['true', 'false']);
    const notify = 'steps:\n  - action: notify\n    params:\n      type: ‸';
    expect(proposed(notify)).toContain('warning');
  });

  it('results inside of braces, those of earlier steps first, and blanks of a template', () => {
    const all = proposed(at('HERE', 'Ident'));
    expect(all.slice(0, 2)).toEqual(['Identify Competitors', 'Decide']);
    expect(all).toEqual(expect.arrayContaining(['step_1_result', 'params.topic']));
    expect(all).not.toContain('Gather: Details');
    expect(taken(at('HERE', 'Ident'), 'Identify Competitors')).toBe('        For each: {{Identify Competitors}}');
    expect(taken('steps:\n  - params:\n      prompt: "{{s‸}}"\n  - name: B', 'step_2_result')).toBe(
      '      prompt: "{{step_2_result}}"',
    );
  });

  it('names of other steps where steps are named, quoted where YAML needs it', () => {
    expect(proposed(at('NEED'))).toEqual(['Identify Competitors', 'Decide']);
    expect(taken(at('THEN', 'Ga'), 'Gather: Details')).toBe('      ifTrue: [Identify Competitors, "Gather: Details"]');
  });
});

describe('what a word means', () => {
  it('a key, an action with its parameters, a step, a blank', () => {
    expect(meaning('steps:\n  - act‸ion: wait')?.text).toBe('Action of the step.');
    expect(meaning('steps:\n  - action: wa‸it')?.params.map(([name]) => name)).toEqual(['minutes', 'until']);
    expect(meaning(TASK.replace('step_1_result', 'step_1‸_result'))?.title).toBe('1. Identify Competitors');
    expect(meaning(TASK.replace('HERE', 'params.to‸pic }}'))?.text).toBe('What it is about');
    expect(meaning('other: va‸lue')).toBeNull();
  });
});
