/** The form of a task for other YAML tools: as it is declared, and with words for everything that may stand in it. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PARAMS } from '../../../../../src/core/task/script/params.ts';
import { type SchemaNode, taskForm } from '../../../../../src/vscode/task/text/taskSchema.ts';

it('is in media/task as declared: else run `npx node scripts/task-schema.mjs`', () => {
  const script = fileURLToPath(new URL('../../../../../scripts/task-schema.mjs', import.meta.url));
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
});

it('says of every key and parameter what it is', () => {
  const { task, step, parameter, actions } = taskForm({ t: String }, []);
  const bare = (node: SchemaNode) =>
    Object.entries(node.properties ?? {}).flatMap(([key, { description = '' }]) => (description === '' ? [key] : []));
  expect([task, step, parameter, ...[...actions.values()].map(({ params }) => params)].flatMap(bare)).toEqual([]);
  expect([...actions.keys()]).toEqual(Object.keys(PARAMS));
});
