/** docs/projects.md against what is read: its fields, its example and its templates. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtInProjectTemplates } from '../../../../../src/app/open/definitions.ts';
import { parseDefinition, printDefinition } from '../../../../../src/engine/project/definition/definition.ts';

const doc = readFileSync(new URL('../../../../../docs/projects.md', import.meta.url), 'utf8');

/** First two cells of the rows of the table whose head begins so, without their code marks. */
function rows(head: string): (readonly [string, string])[] {
  const lines = doc.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  expect(start, head).toBeGreaterThan(0);
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => {
    const [, first = '', second = ''] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    return [first, second] as const;
  });
}

const fields = rows('field');

/** What the parser says that there is. */
function known(yaml: string): string[] {
  try {
    parseDefinition(`---\n${yaml}\n---\n`);
  } catch (thrown) {
    return (String(thrown).match(/(?:there are:|is a mapping of) (.*)$/)?.[1] ?? '').split(', ');
  }
  return [];
}

describe('the table of fields', () => {
  it('has those that are read, and no other', () => {
    const groups = ['executors', 'limits', 'heartbeat'];
    const expected = known('none: 1').flatMap((name) =>
      groups.includes(name) ? known(`${name}: 1`).map((inner) => `${name}.${inner}`) : [name],
    );
    expect(fields.map(([name]) => name).sort()).toEqual(expected.sort());
  });

  it('has examples that are read', () => {
    const lines = fields.map(([name, example]) => {
      const [first = '', inner] = name.split('.');
      return inner === undefined ? `${first}: ${example}` : `  ${inner}: ${example}`;
    });
    const nested = lines.flatMap((line, at) => {
      const group = /^(executors\.planner|limits\.dayUsd|heartbeat\.every)$/
        .exec(fields[at]?.[0] ?? '')?.[1]
        ?.split('.')[0];
      return group === undefined ? [line] : [`${group}:`, line];
    });
    const { file } = parseDefinition(`---\n${nested.join('\n')}\n---\nText.\n`);
    expect(parseDefinition(printDefinition(file)).file).toEqual(file);
    expect(file.definition).toMatchObject({
      limits: { dayMicroUsd: 2_500_000, totalMicroUsd: 100_000_000, tokens: 20_000_000, toolCalls: 5_000 },
      heartbeat: { minutes: 240, prompt: 'Look at the failed runs.' },
      idleMinutes: 0,
      executors: { planner: 'builtin', worker: 'cline', reviewer: 'claude' },
      workdir: '/code/my-app',
    });
  });
});

it('the example is as it is written', () => {
  const example = /```text\n(---\n[\s\S]*?)```/.exec(doc)?.[1] ?? '';
  expect(printDefinition(parseDefinition(example).file)).toBe(example);
});

it('the templates are those that are built in', async () => {
  const builtIn = await builtInProjectTemplates().names();
  expect(rows('template').map(([name]) => name)).toEqual(expect.arrayContaining([...builtIn]));
  expect(rows('template')).toHaveLength(builtIn.length);
});
