/** docs/agents.md against the data file and the form of its lines. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtInAgents, ownAgents } from '../../../../src/adapters/userData/knownAgents.ts';
import { agentEntrySchema, PLACEHOLDERS } from '../../../../src/shared/agent/executorSchemas.ts';

const doc = readFileSync(new URL('../../../../docs/agents.md', import.meta.url), 'utf8');

function rows(head: string): string[][] {
  const lines = doc.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  expect(start, head).toBeGreaterThan(0);
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

it('names each agent, how it speaks, who pays and how to get it', () => {
  const known = Object.entries(builtInAgents()).map(([name, { title, speaks, models, install }]) => [
    name,
    title,
    speaks === 'acp' ? 'ACP' : 'command',
    models === 'own' ? 'own account' : 'through us',
    install,
  ]);
  expect(
    rows('name').map(([name, title, speaks, models, _tried, install]) => [name, title, speaks, models, install]),
  ).toEqual(known);
});

it('tells each field and each placeholder', () => {
  const fields = rows('field').flatMap(([names = '']) => names.split(', '));
  expect(fields.sort()).toEqual(Object.keys(agentEntrySchema.shape).sort());
  for (const name of PLACEHOLDERS) expect(doc).toContain(`\`{${name}}\``);
});

it('has an example that counts', () => {
  const example = /```yaml\n([\s\S]*?)```/.exec(doc)?.[1] ?? '';
  const { entries, faults } = ownAgents(example);
  expect([Object.keys(entries), faults]).toEqual([['my-agent'], []]);
});
