/** docs/tools.md against the tools of each role of a job. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { TOOLS_BY_ROLE } from '../../../../../src/shared/workspace/tools.ts';

const page = readFileSync(new URL('../../../../../docs/tools.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| `'));

it.each(['worker', 'planner', 'reviewer'] as const)('the table lists the tools of a %s', (role) => {
  const listed = rows.flatMap((row) => {
    const [, names = '', roles = ''] = row.split('|');
    return roles.includes(role) ? [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name) : [];
  });
  expect(listed.toSorted()).toEqual([...TOOLS_BY_ROLE[role]].toSorted());
});
