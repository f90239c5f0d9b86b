/** docs/tasks.md against what is read: its fields, its actions, its limits and its examples. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtInTaskTemplates } from '../../../../../src/app/open/taskTemplates.ts';
import { PARAMS } from '../../../../../src/core/task/script/params.ts';
import { readTaskText } from '../../../../../src/engine/task/text/taskText.ts';
import {
  BUILT_IN_ACTIONS,
  stepSchema,
  TASK_LIMITS,
  TASK_STATUSES,
  templateSchema,
} from '../../../../../src/shared/task/tasks.ts';
import { TASK_TOOL_ACTIONS } from '../../../../../src/shared/task/taskTool.ts';

const doc = readFileSync(new URL('../../../../../docs/tasks.md', import.meta.url), 'utf8');

/** Names in code in the first two cells of the rows of the table whose head begins so. */
function rows(head: string): (readonly [readonly string[], readonly string[]])[] {
  const lines = doc.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  expect(start, head).toBeGreaterThan(0);
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  const named = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  return lines.slice(start + 2, end).map((line) => {
    const [, first, second] = line.split('|');
    return [named(first), named(second)] as const;
  });
}

const firsts = (head: string): string[] => rows(head).flatMap(([names]) => names);
const sorted = (names: readonly string[]): string[] => names.toSorted();

describe('its tables', () => {
  it('have the fields that there are, and no other', () => {
    const told = ['progressIntervalMinutes', 'scenario', ...firsts('field ')];
    expect(sorted([...new Set(told)])).toEqual(sorted(Object.keys(templateSchema.shape)));
    for (const name of told) expect(doc).toContain(`\`${name}`);
    expect(sorted(firsts('field of a step'))).toEqual(sorted(Object.keys(stepSchema.shape)));
  });

  it('have each action with its params', () => {
    expect(firsts('action')).toEqual([...BUILT_IN_ACTIONS]);
    for (const [[action = ''], told] of rows('action')) {
      const { shape } = PARAMS[action as keyof typeof PARAMS];
      expect(told, action).toEqual(expect.arrayContaining(Object.keys(shape)));
    }
  });

  it('have each status, and the text each template and action of the tool', async () => {
    expect(firsts('status')).toEqual([...TASK_STATUSES]);
    for (const name of [...(await builtInTaskTemplates().names()), ...TASK_TOOL_ACTIONS])
      expect(doc).toContain(`\`${name}\``);
  });
});

it('tells the limits that hold', () => {
  const { steps, parallel, retries, nameCharacters } = TASK_LIMITS;
  for (const words of [
    `at most ${steps.toLocaleString('en')} `,
    `in parallel, at most ${parallel}`,
    `with \`retry\`, at most ${retries}`,
    `at most ${nameCharacters} characters`,
  ])
    expect(doc).toContain(words);
});

it('has examples that are read without a fault', () => {
  const blocks = [...doc.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  expect(blocks).toHaveLength(3);
  for (const block of blocks) {
    const text = /^name:/m.test(block) ? block : `name: x\n${block}`;
    expect(readTaskText(text, 0, null).faults, block).toEqual([]);
  }
});
